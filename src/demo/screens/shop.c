/*
 * A shop with product cards. Some icons have neither text nor description, as
 * in many real apps, so they can only be recognised visually.
 */
#include <stdio.h>

#include "demo/phone/screens.h"

enum category {
    ALL,
    AUDIO,
    HOME,
    OUTDOOR,
    GADGETS,
};

static const struct product {
    const char *name;
    const char *price;
    enum category category;
} products[] = {
    { "Studio headphones", "$129.00", AUDIO },
    { "Desk lamp", "$42.50", HOME },
    { "House plant", "$18.00", HOME },
    { "Stoneware mug", "$14.90", HOME },
    { "Sports watch", "$199.00", GADGETS },
    { "Pocket camera", "$349.00", GADGETS },
    { "Day pack", "$79.00", OUTDOOR },
    { "Room speaker", "$89.00", AUDIO },
};

static void
reset(struct sq_phone *phone) {
    phone->category = ALL;
    phone->cart = 0;
    memset(phone->favourites, 0, sizeof(phone->favourites));
    phone->scroll[SQ_SCROLL_SHOP] = 0;
    phone->scroll[SQ_SCROLL_CATEGORIES] = 0;
}

static bool
is_offered(const struct sq_phone *phone, const struct sq_widget *widget) {
    return phone->category == ALL
        || phone->category == (int)products[widget->arg].category;
}

static bool
is_category(const struct sq_phone *phone, const struct sq_widget *widget) {
    return phone->category == widget->arg;
}

static void
choose_category(struct sq_phone *phone, const struct sq_item *item) {
    phone->category = item->widget->arg;
    phone->scroll[SQ_SCROLL_SHOP] = 0;
}

static struct sq_span
name_text(const struct sq_phone *phone, const struct sq_widget *widget,
          char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)phone;
    (void)scratch;
    return sq_span_of(products[widget->arg].name);
}

static struct sq_span
price_text(const struct sq_phone *phone, const struct sq_widget *widget,
           char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)phone;
    (void)scratch;
    return sq_span_of(products[widget->arg].price);
}

static void
show_product(struct sq_phone *phone, const struct sq_item *item) {
    const struct product *product = &products[item->widget->arg];
    sq_phone_show_message(phone, "%s, %s", product->name, product->price);
}

static bool
is_favourite(const struct sq_phone *phone, const struct sq_widget *widget) {
    return phone->favourites[widget->arg];
}

static bool
is_not_favourite(const struct sq_phone *phone, const struct sq_widget *widget) {
    return !phone->favourites[widget->arg];
}

static void
toggle_favourite(struct sq_phone *phone, const struct sq_item *item) {
    bool *favourites = &phone->favourites[item->widget->arg];
    *favourites = !*favourites;
    sq_phone_show_message(
        phone, *favourites ? "%s is a favourite" : "%s is not a favourite",
        products[item->widget->arg].name);
}

static void
add_to_cart(struct sq_phone *phone, const struct sq_item *item) {
    phone->cart++;
    sq_phone_show_message(phone, "%s is in your cart",
                          products[item->widget->arg].name);
}

static void
show_cart(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    sq_phone_show_message(phone, "%d in your cart", phone->cart);
}

static bool
cart_is_full(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->cart > 0;
}

static struct sq_span
cart_text(const struct sq_phone *phone, const struct sq_widget *widget,
          char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%d", phone->cart);
    return sq_span_of(scratch);
}

static void
show_search(struct sq_phone *phone, const struct sq_item *item) {
    (void)item;
    sq_phone_show_message(phone, "Search is closed today");
}

/* Handles the filter icon, which has no text or description. */
static void
show_filter(struct sq_phone *phone, const struct sq_item *item) {
    int favourites = 0;
    (void)item;
    for (int i = 0; i < SQ_MAX_PRODUCTS; i++) {
        favourites += phone->favourites[i];
    }
    sq_phone_show_message(phone, "%d favourites", favourites);
}

#define TOOL(name, what, handler, icon)                                        \
    SQ_WIDGET(IMAGE, .id = name, .desc = what, .tap = handler, .width = 44,    \
              .height = 44, .pad = { 10, 10, 10, 10 },                         \
              .drawing = &sq_icon_##icon)

#define CHIP(number, name)                                                     \
    SQ_WIDGET(TEXT, .id = "chip", .text = name, .arg = (number),               \
              .tap = choose_category, .chosen = is_category, .role = SQ_LABEL, \
              .pad = { 18, 9, 18, 9 }, .radius = 19, .fill = SQ_TONE)

#define HEART(number, what, when, icon, colour)                                \
    SQ_WIDGET(IMAGE, .id = "favourite", .desc = what, .arg = (number),         \
              .shown = when, .tap = toggle_favourite, .width = 40,             \
              .height = 40, .pad = { 9, 9, 9, 9 }, .ink = SQ_RGB(colour),      \
              .drawing = &sq_icon_##icon)

#define PICTURE(number, what, picture, colour)                                 \
    SQ_WIDGET(STACK, .width = SQ_FILL, .align = SQ_END,                        \
              .children = SQ_CHILDREN(                                         \
                  SQ_WIDGET(IMAGE, .id = "product_image", .desc = what,        \
                            .width = SQ_FILL, .height = 148,                   \
                            .pad = { 16, 20, 16, 16 }, .radius = 18,           \
                            .fill = SQ_RGB(colour),                            \
                            .drawing = &sq_picture_##picture),                 \
                  HEART(number, what, is_not_favourite, heart, 0x5c6070),      \
                  HEART(number, what, is_favourite, heart_full, 0xd5364f)))

#define PRODUCT(number, what, add_what, picture, colour)                       \
    SQ_WIDGET(                                                                 \
        COLUMN, .id = "product", .arg = (number), .shown = is_offered,         \
        .tap = show_product, .double_tap = toggle_favourite, .width = SQ_FILL, \
        .pad = { 8, 8, 8, 10 }, .gap = 8, .radius = 24, .fill = SQ_CARD,       \
        .children = SQ_CHILDREN(                                               \
            PICTURE(number, what, picture, colour),                            \
            SQ_WIDGET(                                                         \
                ROW, .width = SQ_FILL, .align = SQ_MIDDLE,                     \
                .pad = { 8, 0, 2, 0 },                                         \
                .children = SQ_CHILDREN(                                       \
                    SQ_WIDGET(                                                 \
                        COLUMN, .grow = true, .gap = 2,                        \
                        .children = SQ_CHILDREN(                               \
                            SQ_WIDGET(TEXT, .id = "product_name",              \
                                      .get_text = name_text, .role = SQ_SMALL, \
                                      .arg = (number)),                        \
                            SQ_WIDGET(TEXT, .id = "product_price",             \
                                      .get_text = price_text,                  \
                                      .role = SQ_SUBTITLE, .arg = (number)))), \
                    SQ_WIDGET(IMAGE, .id = "add", .desc = add_what,            \
                              .arg = (number), .tap = add_to_cart,             \
                              .width = 38, .height = 38,                       \
                              .pad = { 9, 9, 9, 9 }, .radius = 19,             \
                              .fill = SQ_PRIMARY, .ink = SQ_WHITE,             \
                              .drawing = &sq_icon_plus)))))

static const struct sq_widget cards[] = {
    PRODUCT(0, NULL, "Add headphones to cart", headphones, 0xfbe5e1),
    PRODUCT(1, "Lamp on a desk", NULL, lamp, 0xeef0f7),
    PRODUCT(2, NULL, NULL, plant, 0xe2f2e6),
    PRODUCT(3, "Teal mug", "Add mug to cart", mug, 0xe1f3f3),
    PRODUCT(4, NULL, NULL, watch, 0xe6e9f4),
    PRODUCT(5, "Camera", "Add camera to cart", camera, 0xf8efdd),
    PRODUCT(6, NULL, NULL, backpack, 0xe3f1ea),
    PRODUCT(7, "Purple speaker", NULL, speaker, 0xebe7fa),
    { .kind = SQ_WIDGET_END },
};

static const struct sq_widget toolbar[] = {
    SQ_WIDGET(TEXT, .id = "toolbar_title", .text = "Shop", .role = SQ_HEADLINE,
              .grow = true),
    TOOL("action_search", NULL, show_search, search),
    TOOL("action_filter", NULL, show_filter, filter),
    SQ_WIDGET(STACK, .align = SQ_END,
              .children = SQ_CHILDREN(
                  TOOL("action_cart", "Cart", show_cart, cart),
                  SQ_WIDGET(TEXT, .id = "cart_count", .shown = cart_is_full,
                            .get_text = cart_text, .role = SQ_CAPTION,
                            .pad = { 6, 1, 6, 1 }, .radius = 9,
                            .fill = SQ_ERROR, .ink = SQ_WHITE))),
    { .kind = SQ_WIDGET_END },
};

static const struct sq_widget screen = SQ_WIDGET(
    COLUMN, .width = SQ_FILL, .height = SQ_FILL,
    .children = SQ_CHILDREN(
        SQ_WIDGET(ROW, .width = SQ_FILL, .pad = { 20, 10, 12, 4 }, .gap = 2,
                  .align = SQ_MIDDLE, .children = toolbar),
        SQ_WIDGET(STRIP, .id = "categories", .arg = SQ_SCROLL_CATEGORIES,
                  .width = SQ_FILL, .pad = { 16, 6, 16, 10 }, .gap = 8,
                  .align = SQ_MIDDLE,
                  .children =
                      SQ_CHILDREN(CHIP(ALL, "All"), CHIP(AUDIO, "Audio"),
                                  CHIP(HOME, "Home"), CHIP(OUTDOOR, "Outdoor"),
                                  CHIP(GADGETS, "Gadgets"))),
        SQ_WIDGET(SCROLL, .id = "products", .arg = SQ_SCROLL_SHOP,
                  .width = SQ_FILL, .grow = true, .pad = { 12, 4, 12, 20 },
                  .children =
                      SQ_CHILDREN(SQ_WIDGET(GRID, .width = SQ_FILL, .cell = 170,
                                            .gap = 10, .children = cards)))));

const struct sq_demo_app sq_app_shop = {
    .name = "shop",
    .label = "Shop",
    .activity = ".ShopActivity",
    .screen = &screen,
    .background = SQ_SURFACE,
    .bar_ink = SQ_INK,
    .icon = &sq_icon_bag,
    .icon_fill = SQ_RGB(0xe0663d),
    .reset = reset,
};
