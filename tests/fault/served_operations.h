/* The operations that a client calls while the server's system calls fail. */
#ifndef FAULT_SERVED_OPERATIONS_H
#define FAULT_SERVED_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

struct operation {
    const char *name;   /* of the operation, perhaps with a suffix */
    const char *call;   /* its arguments; ' stands for ", REF for a shot */
    const char *before; /* arguments of a call before it; NULL: none */
    bool saves;         /* leaves one picture in the folder */
    bool may_save;      /* the same if possible; it answers in any case */
    const char *tool;   /* NULL: an operation of ui */
    int every;          /* try only every Nth point; 0: all */
};

#define OP(name) "{'operation':'" name "'"
#define IN(app) ",'packageName':'com.squint.demo." app "'"
#define TEXT(text) ",'selector':{'text':'" text "'}"
/* Most calls need no capture afterwards, which takes time. */
#define UNSEEN ",'receipt':'none'"
#define DAY "'startDate':'2026-01-15','endDate':'2026-01-15'"
#define REF "'screenshotRef':'REF'"
#define CORNER "'x':9,'y':9,'width':90,'height':90"

static const struct operation operations[] = {
    { .name = "devices", .call = OP("devices") "}" },
    { .name = "screenshot", .call = OP("screenshot") "}" },
    { .name = "screenshot of a region",
      .call = OP("screenshot") ",'region':{" CORNER "}}" },
    { .name = "screenshot to a file",
      .call = OP("screenshot") ",'inline':false}",
      .saves = true },
    { .name = "screenshot to a named file",
      .call = OP("screenshot") ",'localPath':'a.jpg'}",
      .saves = true },
    { .name = "visual-snapshot",
      .call = OP("visual-snapshot") "}",
      .may_save = true },
    { .name = "dump",
      .call = OP("dump") "}",
      .before = OP("launch") IN("settings") UNSEEN "}" },
    { .name = "find", .call = OP("find") TEXT("Login") "}" },
    { .name = "find nothing",
      .call = OP("find") TEXT("Nowhere") "}",
      .may_save = true },
    { .name = "screenshot with marks",
      .call = OP("screenshot") ",'marks':true,'grid':true}" },
    { .name = "visual-find-image",
      .call = OP("visual-find-image") ",'name':'icon'}",
      .before = OP("remember") ",'name':'icon','region':{" CORNER "}}" },
    { .name = "remember",
      .call = OP("remember") ",'name':'icon','region':{" CORNER "}}" },
    { .name = "forget",
      .call = OP("forget") ",'name':'icon'}",
      .before = OP("remember") ",'name':'icon','region':{" CORNER "}}" },
    { .name = "tap", .call = OP("tap") ",'x':90,'y':90,'receipt':'full'}" },
    { .name = "tap an element",
      .call = OP("tap") ",'elementIndex':0" UNSEEN "}" },
    { .name = "input",
      .call = OP("input") ",'text':'Ada'" TEXT("Username") UNSEEN "}",
      .before = OP("launch") IN("login") UNSEEN "}" },
    { .name = "scroll", .call = OP("scroll") ",'direction':'down'" UNSEEN "}" },
    { .name = "swipe",
      .call = OP("swipe") ",'from':{'x':90,'y':300},'to':{'x':90,'y':90}" UNSEEN
                          "}" },
    { .name = "pinch",
      .call = OP("pinch") ",'x':90,'y':200,'scale':2" UNSEEN "}" },
    { .name = "key", .call = OP("key") ",'name':'home'" UNSEEN "}" },
    { .name = "launch", .call = OP("launch") IN("clock") UNSEEN "}" },
    { .name = "stop",
      .call = OP("stop") IN("shop") UNSEEN "}",
      .before = OP("launch") IN("shop") UNSEEN "}" },
    { .name = "steps",
      .call = OP("steps") ",'steps':[{'operation':'key','name':'home'" UNSEEN
                          "}]}" },
    { .name = "open",
      .call = OP("open") ",'url':'https://shop.squint.example/'" UNSEEN "}" },
    { .name = "reset",
      .call = OP("reset") IN("shop") ",'confirm':true" UNSEEN "}" },
    { .name = "rotate",
      .call = OP("rotate") ",'orientation':'landscape'" UNSEEN "}" },
    { .name = "clipboard", .call = OP("clipboard") ",'text':'a'" UNSEEN "}" },
    { .name = "info", .call = OP("info") "}" },
    { .name = "wake", .call = OP("wake") UNSEEN "}" },
    { .name = "apps", .call = OP("apps") "}" },
    { .name = "wait", .call = OP("wait") TEXT("Login") "}" },
    { .name = "accessibility-check", .call = OP("accessibility-check") "}" },
    { .name = "rtfm",
      .call = "{'toolName':'ui','operation':'tap'}",
      .tool = "rtfm" },
    { .name = "list_screenshots",
      .call = "{" DAY ",'links':true}",
      .tool = "list_screenshots",
      .every = 5 },
    { .name = "list_screenshots by their looks",
      .call = "{" DAY ",'samplingStrategy':'coverage'}",
      .tool = "list_screenshots",
      .every = 7 },
    { .name = "get_screenshot",
      .call = "{" REF ",'full':'inline'}",
      .tool = "get_screenshot",
      .every = 3 },
    { .name = "crop_screenshot",
      .call = "{" REF "," CORNER "}",
      .tool = "crop_screenshot",
      .every = 3 },
    { .name = "save_screenshot",
      .call = "{" REF "}",
      .saves = true,
      .tool = "save_screenshot" },
    { .name = "search_screenshots",
      .call = "{'text':'invoice'," DAY "}",
      .tool = "search_screenshots",
      .every = 5 },
    { .name = "contact_sheet",
      .call = "{" DAY "}",
      .tool = "contact_sheet",
      .every = 7 },
};

#endif
