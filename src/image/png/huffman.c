/* Builds Huffman decoding tables. */
#include "image/png/inflate.h"

#include <assert.h>
#include <string.h>

#define DIST_CODES 32

#define LENGTH_ENTRY(base, extra)                                              \
    (SQ_HUFF_MATCH | (uint64_t)(base) << SQ_HUFF_VALUE_SHIFT | (extra))

static const uint64_t length_entries[] = {
    LENGTH_ENTRY(3, 0),   LENGTH_ENTRY(4, 0),   LENGTH_ENTRY(5, 0),
    LENGTH_ENTRY(6, 0),   LENGTH_ENTRY(7, 0),   LENGTH_ENTRY(8, 0),
    LENGTH_ENTRY(9, 0),   LENGTH_ENTRY(10, 0),  LENGTH_ENTRY(11, 1),
    LENGTH_ENTRY(13, 1),  LENGTH_ENTRY(15, 1),  LENGTH_ENTRY(17, 1),
    LENGTH_ENTRY(19, 2),  LENGTH_ENTRY(23, 2),  LENGTH_ENTRY(27, 2),
    LENGTH_ENTRY(31, 2),  LENGTH_ENTRY(35, 3),  LENGTH_ENTRY(43, 3),
    LENGTH_ENTRY(51, 3),  LENGTH_ENTRY(59, 3),  LENGTH_ENTRY(67, 4),
    LENGTH_ENTRY(83, 4),  LENGTH_ENTRY(99, 4),  LENGTH_ENTRY(115, 4),
    LENGTH_ENTRY(131, 5), LENGTH_ENTRY(163, 5), LENGTH_ENTRY(195, 5),
    LENGTH_ENTRY(227, 5), LENGTH_ENTRY(258, 0),
};

static const uint64_t dist_entries[DIST_CODES] = {
    LENGTH_ENTRY(1, 0),      LENGTH_ENTRY(2, 0),      LENGTH_ENTRY(3, 0),
    LENGTH_ENTRY(4, 0),      LENGTH_ENTRY(5, 1),      LENGTH_ENTRY(7, 1),
    LENGTH_ENTRY(9, 2),      LENGTH_ENTRY(13, 2),     LENGTH_ENTRY(17, 3),
    LENGTH_ENTRY(25, 3),     LENGTH_ENTRY(33, 4),     LENGTH_ENTRY(49, 4),
    LENGTH_ENTRY(65, 5),     LENGTH_ENTRY(97, 5),     LENGTH_ENTRY(129, 6),
    LENGTH_ENTRY(193, 6),    LENGTH_ENTRY(257, 7),    LENGTH_ENTRY(385, 7),
    LENGTH_ENTRY(513, 8),    LENGTH_ENTRY(769, 8),    LENGTH_ENTRY(1025, 9),
    LENGTH_ENTRY(1537, 9),   LENGTH_ENTRY(2049, 10),  LENGTH_ENTRY(3073, 10),
    LENGTH_ENTRY(4097, 11),  LENGTH_ENTRY(6145, 11),  LENGTH_ENTRY(8193, 12),
    LENGTH_ENTRY(12289, 12), LENGTH_ENTRY(16385, 13), LENGTH_ENTRY(24577, 13),
    /* the last two codes are invalid: 0 */
};

uint64_t
sq_huff_literal(unsigned symbol) {
    return SQ_HUFF_LITERALS | UINT64_C(1) << SQ_HUFF_COUNT_SHIFT
         | (uint64_t)symbol << SQ_HUFF_LITERAL_SHIFT;
}

uint64_t
sq_huff_litlen(unsigned symbol) {
    if (symbol < 256) {
        return sq_huff_literal(symbol);
    }
    if (symbol == 256) {
        return SQ_HUFF_END;
    }
    symbol -= 257;
    return symbol < sizeof(length_entries) / sizeof(length_entries[0])
             ? length_entries[symbol]
             : 0;
}

uint64_t
sq_huff_dist(unsigned symbol) {
    return dist_entries[symbol];
}

/* Codes are read from the lowest bit; canonical codes start at the highest. */
static unsigned
reverse_bits(unsigned code, unsigned length) {
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0f0f) << 4 | (code >> 4 & 0x0f0f);
    code = (code & 0x00ff) << 8 | (code >> 8 & 0x00ff);
    return code >> (16 - length);
}

/* A table that is being filled. */
struct filling {
    const struct sq_huff_table *table;
    unsigned next_free; /* index of the next second-level table */
};

/* Adds the length of a code to its entry. */
static uint64_t
with_length(uint64_t entry, unsigned length) {
    return entry ? entry + length + ((uint64_t)length << SQ_HUFF_CODE_SHIFT)
                 : 0;
}

/* Writes the entry to every index that ends in the code. */
static void
spread_entry(uint64_t *entries, unsigned size, unsigned code, unsigned length,
             uint64_t entry) {
    for (unsigned i = code; i < size; i += 1u << length) {
        entries[i] = with_length(entry, length);
    }
}

static void
place_code(struct filling *filling, unsigned code, unsigned length,
           uint64_t entry) {
    uint64_t *entries = filling->table->entries;
    unsigned root_bits = filling->table->root_bits;
    unsigned root_size = 1u << root_bits;
    if (length <= root_bits) {
        spread_entry(entries, root_size, code, length, entry);
        return;
    }
    unsigned sub_size = 1u << (SQ_HUFF_MAX_BITS - root_bits);
    uint64_t *link = &entries[code & (root_size - 1)];
    if (!*link) {
        *link = SQ_HUFF_SUBTABLE | root_bits
              | (uint64_t)filling->next_free << SQ_HUFF_VALUE_SHIFT;
        memset(entries + filling->next_free, 0, sub_size * sizeof(*entries));
        filling->next_free += sub_size;
    }
    spread_entry(entries + SQ_HUFF_VALUE(*link), sub_size, code >> root_bits,
                 length - root_bits, entry);
}

/* Computes the first code of each length; false if the set is invalid. */
static bool
assign_codes(const uint8_t *lengths, unsigned symbols, unsigned *next_code) {
    unsigned counts[SQ_HUFF_MAX_BITS + 1] = { 0 };
    for (unsigned i = 0; i < symbols; i++) {
        counts[lengths[i]]++;
    }
    int left = 1;
    unsigned used = 0;
    next_code[1] = 0;
    for (unsigned n = 1; n <= SQ_HUFF_MAX_BITS; n++) {
        left = left * 2 - (int)counts[n];
        if (left < 0) {
            return false;
        }
        next_code[n + 1] = (next_code[n] + counts[n]) << 1;
        used += counts[n];
    }
    return left == 0 || used == 0 || (used == 1 && counts[1] == 1);
}

bool
sq_huff_build(const struct sq_huff_table *table, const uint8_t *lengths,
              unsigned symbols, sq_huff_symbol entry_of) {
    unsigned next_code[SQ_HUFF_MAX_BITS + 2];
    if (!assign_codes(lengths, symbols, next_code)) {
        return false;
    }
    struct filling filling = { table, 1u << table->root_bits };
    memset(table->entries, 0, sizeof(*table->entries) << table->root_bits);
    for (unsigned i = 0; i < symbols; i++) {
        if (lengths[i]) {
            unsigned code = reverse_bits(next_code[lengths[i]]++, lengths[i]);
            place_code(&filling, code, lengths[i], entry_of(i));
        }
    }
    assert(filling.next_free <= table->size);
    return true;
}

/*
 * Returns an entry for first and then next, if both fit into one lookup and
 * next is of one of the wanted kinds; otherwise first. All fields except the
 * literals are added. Branchless, because half of the branches would be
 * mispredicted.
 */
static inline uint64_t
join_entries(uint64_t first, uint64_t next, uint64_t kinds,
             unsigned root_bits) {
    const uint64_t literal = UINT64_C(0xffff) << SQ_HUFF_LITERAL_SHIFT;
    unsigned bits = SQ_HUFF_CODE_BITS(first) + SQ_HUFF_CODE_BITS(next);
    bool joins = (first & SQ_HUFF_LITERALS) && (next & kinds);
    uint64_t mask = -(uint64_t)(joins & (bits <= root_bits));
    uint64_t moved = (next & ~literal)
                   | (next & literal) << 8 * SQ_HUFF_LITERAL_COUNT(first);
    return first + ((moved - SQ_HUFF_LITERALS) & mask);
}

void
sq_huff_join(const struct sq_huff_table *table) {
    uint64_t *entries = table->entries;
    /*
     * Runs downwards, so that the entries still to be read are not yet joined.
     */
    for (unsigned i = 1u << table->root_bits; i-- > 0;) {
        uint64_t one = entries[i];
        uint64_t two =
            join_entries(one, entries[i >> SQ_HUFF_CODE_BITS(one)],
                         SQ_HUFF_MATCH | SQ_HUFF_LITERALS, table->root_bits);
        /* An entry holds at most two literals: only a length may follow. */
        entries[i] = join_entries(two, entries[i >> SQ_HUFF_CODE_BITS(two)],
                                  SQ_HUFF_MATCH, table->root_bits);
    }
}
