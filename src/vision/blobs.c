/*
 * Labels connected runs of edges row by row. Only the runs of two rows and the
 * blobs they belong to are in memory, so that noise cannot use much of it.
 */
#include "vision/lines.h"

#include "util/mem.h"
#include "util/minmax.h"

/* Beyond this number, blobs further down are dropped: the page is noise. */
#define MAX_BLOBS 200000

struct run {
    int left;
    int right; /* exclusive */
    int slot;
};

/* A blob that is still growing, or an entry that was merged into another. */
struct slot {
    struct sq_blob blob;
    int parent;   /* itself, or the slot it was merged into */
    int last_row; /* the last row in which it has a run */
    int next;     /* the next slot of the list it is in; -1: the last */
};

struct labeller {
    const struct sq_blob_options *options;
    struct run *above;
    int above_count;
    struct run *here;
    int here_count;
    struct slot *slots;
    int first_free;
    int first_used;
    const uint64_t *bits; /* of the row */
    struct sq_blobs *out;
};

static bool
start(struct labeller *l, int width, struct sq_err *err) {
    /* A run needs at least one pixel and one gap; two rows have slots. */
    size_t runs = (size_t)width / 2 + 1;
    size_t slots = 2 * runs;
    l->above = sq_mem_alloc(runs, sizeof(*l->above));
    l->here = sq_mem_alloc(runs, sizeof(*l->here));
    l->slots = sq_mem_alloc(slots, sizeof(*l->slots));
    if (!l->above || !l->here || !l->slots) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < slots; i++) {
        l->slots[i].next = i + 1 < slots ? (int)i + 1 : -1;
    }
    l->first_free = 0;
    l->first_used = -1;
    return true;
}

static int
root_of(struct labeller *l, int slot) {
    while (l->slots[slot].parent != slot) {
        l->slots[slot].parent = l->slots[l->slots[slot].parent].parent;
        slot = l->slots[slot].parent;
    }
    return slot;
}

/*
 * Returns a word of bits with each run made longer by `gap` bits, so that runs
 * with at most as many between them touch. before is the word before it.
 */
static uint64_t
lengthen(uint64_t bits, uint64_t before, int gap) {
    uint64_t longer = bits;
    for (int i = 1; i <= gap; i++) {
        longer |= bits << i | before >> (64 - i);
    }
    return longer;
}

/* Converts the bits of a row to runs; small gaps are closed. */
static void
collect_runs(struct labeller *l, int width) {
    size_t words = sq_edge_words(width);
    int gap = l->options->gap;
    uint64_t before = 0; /* the word before */
    uint64_t carry = 0;  /* whether its last bit is in a run */
    int left = -1;       /* of the run that has begun */
    l->here_count = 0;
    for (size_t i = 0; i <= words; i++) {
        uint64_t bits = i < words ? l->bits[i] : 0;
        uint64_t longer = lengthen(bits, before, gap);
        uint64_t changes = longer ^ (longer << 1 | carry);
        for (; changes; changes &= changes - 1) {
            int x = (int)i * 64 + __builtin_ctzll(changes);
            if (left < 0) {
                left = x;
            } else {
                l->here[l->here_count++] = (struct run){ left, x - gap, -1 };
                left = -1;
            }
        }
        before = bits;
        carry = longer >> 63;
    }
}

static int
count_edges(const uint64_t *bits, int left, int right) {
    int count = 0;
    for (int x = left; x < right;) {
        int end = sq_min_int(right, (x / 64 + 1) * 64);
        uint64_t word = bits[x / 64] >> (x % 64);
        if (end - x < 64) {
            word &= ((uint64_t)1 << (end - x)) - 1;
        }
        count += __builtin_popcountll(word);
        x = end;
    }
    return count;
}

static void
merge_blobs(struct sq_blob *into, const struct sq_blob *from) {
    into->box = sq_rect_join(into->box, from->box);
    into->edges += from->edges;
}

/* Gives the run its blob: that of a run it touches above, or a new one. */
static void
label_run(struct labeller *l, struct run *run, int first_above, int y) {
    int edges = count_edges(l->bits, run->left, run->right);
    int found = -1;
    for (int i = first_above;
         i < l->above_count && l->above[i].left <= run->right; i++) {
        int root = root_of(l, l->above[i].slot);
        if (found < 0) {
            found = root;
        } else if (root != found) {
            merge_blobs(&l->slots[found].blob, &l->slots[root].blob);
            l->slots[root].parent = found;
        }
    }
    if (found >= 0) {
        /* Adds a run of row y, which is below the blob. */
        l->slots[found].blob.box.left =
            sq_min_int(l->slots[found].blob.box.left, run->left);
        l->slots[found].blob.box.right =
            sq_max_int(l->slots[found].blob.box.right, run->right);
        l->slots[found].blob.box.bottom = y + 1;
        l->slots[found].blob.edges += edges;
    } else {
        const struct sq_blob blob = { { run->left, y, run->right, y + 1 },
                                      edges };
        found = l->first_free;
        l->first_free = l->slots[found].next;
        l->slots[found] = (struct slot){ blob, found, y, l->first_used };
        l->first_used = found;
    }
    l->slots[found].last_row = y;
    run->slot = found;
}

static bool
emit(struct labeller *l, const struct sq_blob *blob, struct sq_err *err) {
    struct sq_blobs *out = l->out;
    int height = blob->box.bottom - blob->box.top;
    if (height > l->options->max_height || out->count >= MAX_BLOBS) {
        return true;
    }
    if (out->count == out->capacity) {
        int capacity = sq_max_int(1024, out->capacity * 2);
        void *grown =
            sq_mem_resize(out->items, (size_t)capacity * sizeof(*out->items));
        if (!grown) {
            return sq_fail_nomem(err);
        }
        out->items = grown;
        out->capacity = capacity;
    }
    out->items[out->count++] = *blob;
    return true;
}

/* Reports the blobs without a run in row y, and frees slots. */
static bool
end_row(struct labeller *l, int y, struct sq_err *err) {
    bool ok = true;
    int *link = &l->first_used;
    while (*link >= 0) {
        int index = *link;
        struct slot *slot = &l->slots[index];
        bool is_root = slot->parent == index;
        if (is_root && slot->last_row == y) {
            link = &slot->next;
            continue;
        }
        ok = ok && (!is_root || emit(l, &slot->blob, err));
        *link = slot->next;
        slot->next = l->first_free;
        l->first_free = index;
    }
    struct run *above = l->above;
    l->above = l->here;
    l->above_count = l->here_count;
    l->here = above;
    return ok;
}

bool
sq_blobs_find(const struct sq_edge_map *map,
              const struct sq_blob_options *options, struct sq_blobs *out,
              struct sq_err *err) {
    struct labeller l = { .options = options, .out = out };
    *out = (struct sq_blobs){ 0 };
    bool ok = start(&l, map->width, err);
    for (int y = 0; ok && y < map->height; y++) {
        l.bits = sq_edge_map_row(map, y);
        collect_runs(&l, map->width);
        int first_above = 0;
        for (int i = 0; i < l.here_count; i++) {
            struct run *run = &l.here[i];
            /* Runs that touch only diagonally are connected. */
            while (first_above < l.above_count
                   && l.above[first_above].right < run->left) {
                first_above++;
            }
            label_run(&l, run, first_above, y);
        }
        for (int i = 0; i < l.here_count; i++) {
            l.here[i].slot = root_of(&l, l.here[i].slot);
        }
        ok = end_row(&l, y, err);
    }
    l.here_count = 0;
    ok = ok && end_row(&l, map->height, err);
    sq_mem_free(l.above);
    sq_mem_free(l.here);
    sq_mem_free(l.slots);
    return ok;
}

void
sq_blobs_finish(struct sq_blobs *blobs) {
    sq_mem_free(blobs->items);
    *blobs = (struct sq_blobs){ 0 };
}
