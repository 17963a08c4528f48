/* The state of the demo phone: what is saved comes back, other text does not.
 */

#include "device/demo/demo.h"
#include "support/test.h"

static struct sq_demo_options
small_options(void) {
    return (struct sq_demo_options){
        .width = 270,
        .height = 600,
        .density = 0.65,
        .seed = 7,
    };
}

static struct sq_phone *
make_phone(void) {
    const struct sq_demo_options options = small_options();
    struct sq_device *device = NULL;
    T_OK(sq_demo_create(&options, &device, &t_err));
    return (struct sq_phone *)device;
}

/* Changes every member that is saved. */
static void
use(struct sq_phone *phone) {
    sq_phone_open(phone, SQ_APP_SHOP);
    phone->overview = true;
    phone->asleep = true;
    phone->landscape = true;
    phone->focus = SQ_FIELD_PASSWORD;
    phone->touched = (struct sq_dev_pt){ 12, 34 };
    snprintf(phone->snack, sizeof(phone->snack), "Added \"x\"");
    phone->switches[3] = !phone->switches[3];
    phone->about = true;
    phone->login = SQ_LOGIN_REFUSED;
    phone->remember = true;
    phone->category = 2;
    phone->cart = 5;
    phone->favourites[1] = true;
    phone->amounts_hidden = true;
    phone->random = UINT64_MAX - 3;
    phone->score = 9;
    phone->discs[2] = (struct sq_disc){ 0.25f, 0.75f };
    for (int i = 0; i < SQ_SCROLLS; i++) {
        phone->scroll[i] = 10 * i;
    }
    T_OK(sq_buf_append(&phone->fields[SQ_FIELD_USERNAME], "Gr\xc3\xbc\"\n", 6,
                       &t_err)
         && sq_buf_append(&phone->clipboard, "copied", 6, &t_err));
}

static char text[1 << 16];

/* The state as text. */
static struct sq_span
saved(const struct sq_phone *phone) {
    T_BUF(out, sizeof(text));
    T_OK(sq_phone_save(phone, &out, &t_err));
    memcpy(text, out.data, out.len);
    struct sq_span span = { text, out.len };
    return span;
}

T_CASE(every_member_comes_back) {
    static char first[sizeof(text)];
    struct sq_phone *phone = make_phone();
    struct sq_phone *other = make_phone();
    use(phone);
    struct sq_span state = saved(phone);
    memcpy(first, state.ptr, state.len);
    const struct sq_span kept = { first, state.len };
    T_OK(sq_phone_restore(other, kept, &t_err));
    T_INT(other->app, SQ_APP_SHOP);
    T_INT(other->login, SQ_LOGIN_REFUSED);
    T(other->running[SQ_APP_SHOP] && other->landscape && other->asleep);
    T(other->switches[3] == phone->switches[3]);
    T_INT(other->cart, 5);
    T(other->random == UINT64_MAX - 3);
    T(other->discs[2].x == 0.25f && other->discs[2].y == 0.75f);
    T_INT(other->scroll[SQ_SCROLL_OTHER], 40);
    T_BYTES(other->fields[0].data, other->fields[0].len, "Gr\xc3\xbc\"\n", 6);
    T_STR(other->snack, "Added \"x\"");
    T_BYTES(other->clipboard.data, other->clipboard.len, "copied", 6);
    /* And nothing else is lost: the same text again. */
    state = saved(other);
    T_BYTES(state.ptr, state.len, kept.ptr, kept.len);
    sq_device_destroy(&phone->base);
    sq_device_destroy(&other->base);
}

/* Refused, and the phone stays as it was. */
static void
expect_refused(struct sq_phone *phone, struct sq_span state,
               enum sq_err_code code) {
    static char before[sizeof(text)];
    static char copy[sizeof(text)];
    memcpy(copy, state.ptr, state.len);
    struct sq_span own = saved(phone);
    memcpy(before, own.ptr, own.len);
    size_t len = own.len;
    if (!T(!sq_phone_restore(phone, (struct sq_span){ copy, state.len },
                             &t_err))) {
        printf("# %.*s\n", (int)state.len, copy);
    }
    T(t_err.code == code
      || (code == SQ_ERR_FORMAT && t_err.code == SQ_ERR_TRUNCATED));
    own = saved(phone);
    T_BYTES(own.ptr, own.len, before, len);
}

T_CASE(cut_texts_are_refused) {
    static char whole[sizeof(text)];
    struct sq_phone *phone = make_phone();
    struct sq_phone *fresh = make_phone();
    use(phone);
    struct sq_span state = saved(phone);
    memcpy(whole, state.ptr, state.len);
    for (size_t len = 0; len < state.len; len += 7) {
        expect_refused(fresh, (struct sq_span){ whole, len }, SQ_ERR_FORMAT);
    }
    sq_device_destroy(&phone->base);
    sq_device_destroy(&fresh->base);
}

T_CASE(wrong_members_are_refused) {
    static const struct {
        const char *from;
        const char *to;
        enum sq_err_code code;
    } changes[] = {
        { "\"squintDemoPhone\":2", "\"squintDemoPhone\":1",
          SQ_ERR_UNSUPPORTED },
        { "\"squintDemoPhone\":2", "\"squintDemoPhone\":x", SQ_ERR_FORMAT },
        { "\"squintDemoPhone\":2", "\"another\":2", SQ_ERR_FORMAT },
        { "\"width\":270", "\"width\":271", SQ_ERR_UNSUPPORTED },
        { "\"seed\":\"7\"", "\"seed\":\"8\"", SQ_ERR_UNSUPPORTED },
        { "\"density\":0.65", "\"density\":0.66", SQ_ERR_UNSUPPORTED },
        { "\"app\":\"launcher\"", "\"app\":\"nonsense\"", SQ_ERR_FORMAT },
        { "\"focus\":-1", "\"focus\":-2", SQ_ERR_FORMAT },
        { "\"focus\":-1", "\"focus\":3", SQ_ERR_FORMAT },
        { "\"login\":0", "\"login\":3", SQ_ERR_FORMAT },
        { "\"cart\":0", "\"cart\":-1", SQ_ERR_FORMAT },
        { "\"cart\":0", "\"cart\":0.5", SQ_ERR_FORMAT },
        { "\"scroll\":[0,", "\"scroll\":[", SQ_ERR_FORMAT },
        { "\"scroll\":[0,", "\"scroll\":[-1,", SQ_ERR_FORMAT },
        { "\"overview\":[false]", "\"overview\":[]", SQ_ERR_FORMAT },
        { "\"overview\":[false]", "\"overview\":[0]", SQ_ERR_FORMAT },
        { "\"discs\":[0.", "\"discs\":[1.", SQ_ERR_FORMAT },
        { "\"fields\":[\"\",", "\"fields\":[", SQ_ERR_FORMAT },
        { "\"fields\":[\"\",", "\"fields\":[1,", SQ_ERR_FORMAT },
        { "\"message\":\"\"", "\"message\":\"\\u0000\"", SQ_ERR_FORMAT },
        { "\"clipboard\":\"\"", "\"clipboard\":0", SQ_ERR_FORMAT },
        { "\"random\":\"", "\"random\":\"-", SQ_ERR_FORMAT },
    };
    static char changed[sizeof(text)];
    struct sq_phone *phone = make_phone();
    for (size_t i = 0; i < SQ_COUNT(changes); i++) {
        struct sq_span state = saved(phone);
        text[state.len] = '\0';
        const char *at = strstr(text, changes[i].from);
        if (!T(at != NULL)) {
            printf("# no %s\n", changes[i].from);
            continue;
        }
        int len =
            snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text),
                     text, changes[i].to, at + strlen(changes[i].from));
        expect_refused(phone, (struct sq_span){ changed, (size_t)len },
                       changes[i].code);
    }
    sq_device_destroy(&phone->base);
}

static struct sq_phone *shared;

static bool
restore(void *context, struct sq_err *err) {
    const struct sq_span *state = context;
    return sq_phone_restore(shared, *state, err);
}

T_CASE(survives_lack_of_memory) {
    static char whole[sizeof(text)];
    shared = make_phone();
    use(shared);
    struct sq_span state = saved(shared);
    memcpy(whole, state.ptr, state.len);
    state.ptr = whole;
    T(t_alloc_torture(restore, &state) > 1);
    sq_device_destroy(&shared->base);
}
