/* Contains the manual page about iOS simulators. */
#include "tools/ios_page.h"

#include <stddef.h>

bool
sq_ios_page_is(struct sq_span name) {
    /* The last name is the one that another server uses. */
    static const char *const names[] = { "ios", "simulator",
                                         "simctl-screenshot-inline" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (sq_span_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

const char sq_ios_page[] =
    "# iOS simulators\n\n"
    "A booted simulator is a device like any other: give `deviceId` (or "
    "`udid`) of `@devices`, or leave it out if it is the only one. Pictures "
    "come "
    "from `xcrun simctl`; elements, taps and typing need `idb`.\n\n"
    "## Sizes\n\n"
    "| `size` | longest side | on a 1179x2556 screen |\n"
    "|---|---|---|\n"
    "| `half` | 512 | 236x512 |\n"
    "| `full` | native | 1179x2556 |\n"
    "| `quarter` | 256 | 118x256 |\n"
    "| `thumb` | 128 | 59x128 |\n\n"
    "Any other word is `half`, and `sizeNote` says so. With `size` the "
    "picture is WebP with quality 60, otherwise JPEG with a "
    "longest side of 1000 pixels. The aspect ratio is kept; "
    "`screenshotSize.dimensions` is the actual size, and `estimatedTokens` "
    "its cost for the configured model.\n\n"
    "```json\n"
    "{\"operation\": \"@screenshot\", \"size\": \"half\", \"appName\": "
    "\"MyApp\", \"screenName\": \"Login\", \"state\": \"Empty\"}\n"
    "```\n\n"
    "## The answer of screenshot\n\n"
    "The image, followed by text with:\n\n"
    "- `success`, `udid`, `imageFormat`, `simulatorInfo`\n"
    "- `screenshotSize`: preset, dimensions, tiles, estimatedTokens, "
    "tokenSavings, fileSizes\n"
    "- `imageSizes`: bytes from simctl, bytes sent, and the ratio\n"
    "- `screenDimensions`: width and height in points, the scale, the size in "
    "pixels; all measured, none assumed\n"
    "- `coordinateTransform`: points per pixel of the picture, on each axis, "
    "unrounded, with the sizes they come from; also for `full`\n"
    "- `coordinateTransformHelper`: how to tap, with an example\n"
    "- `semanticMetadata`: `appName`, `screenName`, `state` as you gave them\n"
    "- `interactiveElements`: at most 20, with index (for `elementIndex`), "
    "type, label, identifier and bounds in the pixels of the picture; "
    "`elements: false` omits them\n"
    "- `viewFingerprint` (with `enableCoordinateCaching`): a hash that stays "
    "the same while no element moves, whether the view is stable, and the "
    "orientation\n\n"
    "If the elements cannot be read, `elementsNote` says why; the picture is "
    "returned anyway, and `note` says that it may show a password.\n\n"
    "## Elements\n\n"
    "`@dump` with `filterLevel` strict, moderate, permissive or none defines "
    "what counts as tappable; `@accessibility-check` rates the screen. In "
    "landscape, pictures and elements are rotated: squint detects the "
    "orientation.\n\n"
    "## When something is missing\n\n"
    "| error | meaning |\n"
    "|---|---|\n"
    "| DEVICE_NOT_FOUND | no simulator has that id; `@devices` lists them |\n"
    "| DEVICE_OFFLINE | the simulator is not booted; the error says how to "
    "boot it |\n"
    "| NOT_FOUND about idb | `idb` is not installed: pictures work, taps do "
    "not |\n"
    "| SCREENSHOT_FAILED | simctl returned no picture |\n";

const char sq_ios_acting_page[] =
    "\n"
    "## Coordinates\n\n"
    "@Tap with `x`, `y` of the picture: they are converted. Device space is "
    "points, not pixels of the picture: `deviceX` and `deviceY` of a receipt "
    "are points, and so are `x`, `y` with `deviceSpace: true`. "
    "`applyScreenshotScale: true` with `screenshotScaleX` and "
    "`screenshotScaleY` of `coordinateTransform` does the same conversion "
    "with your own factors:\n\n"
    "```json\n"
    "{\"operation\": \"@tap\", \"x\": 118, \"y\": 256, "
    "\"applyScreenshotScale\": true, \"screenshotScaleX\": "
    "1.6652542372881356, \"screenshotScaleY\": 1.6640625}\n"
    "```\n\n"
    "In landscape, taps are converted. If squint cannot detect the "
    "orientation, they are refused.\n\n"
    "## What is different from other devices\n\n"
    "- `@input` types the characters of a US keyboard; others are refused "
    "before anything is typed.\n"
    "- `@key` knows home, lock, siri, enter, tab, delete, escape, space, the "
    "arrows, page_up and page_down. There is no back key: touch the button "
    "at the top left, or drag from the left edge.\n"
    "- `durationMs` is milliseconds; a slow swipe drags instead of flicking.\n"
    "- A double tap is two taps, which may be too slow for some apps.\n";
