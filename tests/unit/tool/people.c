/* Replies as people see them. */
#include "tool/people.h"

#include "json/reader.h"
#include "support/test.h"
#include "tools/table.h"
#include "unit/app/run.h"

/* A reply, and the page that shows it. */
struct shown {
    const char *operation;
    const char *reply;
    const char *request; /* NULL: none */
    const char *file;
    char text[4096];
    char aside[4096]; /* for standard error */
};

static bool
show(void *context, struct sq_err *err) {
    struct shown *shown = context;
    char copy[2048];
    T_ARENA(arena, (size_t)1 << 20);
    T_BUF(out, sizeof(shown->text) - 1);
    T_BUF(aside, sizeof(shown->aside) - 1);
    T(strlen(shown->reply) < sizeof(copy));
    for (size_t i = 0; i <= strlen(shown->reply); i++) {
        copy[i] = shown->reply[i] == '\'' ? '"' : shown->reply[i];
    }
    struct sq_people people = {
        .page = { .out = &out },
        .aside = &aside,
        .arena = &arena,
        .file = shown->file,
    };
    bool ok = sq_json_parse(sq_span_of(copy), &arena, &people.reply, err)
           && (!shown->request
               || sq_json_parse(sq_span_of(shown->request), &arena,
                                &people.request, err))
           && sq_people_show(sq_tools_find(sq_span_of(shown->operation)),
                             &people, err);
    if (ok && out.len > 0) {
        memcpy(shown->text, out.data, out.len);
    }
    shown->text[ok ? out.len : 0] = '\0';
    snprintf(shown->aside, sizeof(shown->aside), "%.*s",
             SQ_SPAN_ARGS(sq_buf_span(&aside)));
    return ok;
}

static void
expect_written(const char *operation, const char *reply, const char *file,
               const char *want) {
    struct shown shown = { .operation = operation,
                           .reply = reply,
                           .file = file };
    T_OK(show(&shown, &t_err));
    T_STR(shown.text, want);
}

static void
expect_shown(const char *operation, const char *reply, const char *want) {
    expect_written(operation, reply, NULL, want);
}

static void
check_views(const struct sq_tool *const *tools) {
    for (; *tools; tools++) {
        const struct sq_people_view *view = &(*tools)->people;
        if (!T(!view->show != !view->line)) {
            printf("# %s needs either .people.show or .people.line\n",
                   (*tools)->name);
        }
    }
}

T_CASE(every_operation_has_a_view) {
    check_views(sq_tools);
    check_views(sq_archive_tools);
}

T_CASE(devices) {
    expect_shown(
        "devices",
        "{'devices':[{'id':'demo','kind':'demo','state':'online'},{'id':'X1',"
        "'kind':'android','name':'P','state':'unauthorized','why':'not "
        "allowed','hint':'Answer the question.'}],'count':2,"
        "'problems':[{'kind':'ios','error':'E','message':'no answer',"
        "'suggestion':'Try again.'}],'untrusted':true}",
        "2 devices\n"
        "  ID    KIND     NAME  STATE         NOTE\n"
        "  demo  demo           online\n"
        "  X1    android  P     unauthorized  not allowed\n"
        "X1: Answer the question.\n");
}

/* On standard error; a program that is not installed is none. */
T_CASE(problems_of_devices_are_reported) {
    static const char reply[] =
        "{'devices':[],'count':0,'problems':[{'kind':'ios','error':'NOT_FOUND',"
        "'message':'no Xcode','suggestion':'Install it.'},{'kind':'android',"
        "'error':'IO_ERROR','message':'no server','suggestion':'Start it.'}]}";
    struct shown shown = { .operation = "devices", .reply = reply };
    T_OK(show(&shown, &t_err));
    T_STR(shown.text, "0 devices\n");
    T_STR(shown.aside, "squint: android: no server\n  Start it.\n");
}

/* Labels come from the screen; a hostile one stays in its cell. */
T_CASE(elements) {
    expect_shown("dump",
                 "{'columns':'c','elements':['0 5,60 Button Buy now','1 7,8 "
                 "Switch:checked #wifi','2 9,10 Image','3 1,1 Text "
                 "\\u001b[2J\\n'],'count':4,'totalCount':9,'hasMore':true,'"
                 "screenshotId':'s1','untrusted':true,'deviceId':'demo','"
                 "deviceNote':'demo phone: no other'}",
                 "9 elements on demo\n"
                 "  X   Y  WHAT            LABEL            ID\n"
                 "  5  60  Button          Buy now\n"
                 "  7   8  Switch:checked                   wifi\n"
                 "  9  10  Image\n"
                 "  1   1  Text            \\u001b[2J\\u000a\n"
                 "4 of 9: --offset 4 shows more.\n"
                 "No other device is attached: this is the demo phone.\n");
}

T_CASE(found_and_not_found) {
    static const char found[] =
        "{'elements':[{'index':0,'text':'Shop','className':'T','centerX':1,"
        "'centerY':2}],'count':3,'deviceId':'d'}";
    static const char missing[] =
        "{'elements':[],'count':0,"
        "'visualFallback':{'screenshotPath':'/x/a.png','hint':'h',"
        "'image':{'width':1,'height':2}},'warning':'Look at squint get.'}";
    expect_shown("find", found,
                 "3 elements found on d\n"
                 "  X  Y  WHAT  LABEL\n"
                 "  1  2  T     Shop\n"
                 "1 of 3: --limit 3 shows all.\n");
    expect_written("find", missing, "/x/a.png",
                   "No element found\n"
                   "TEXT is the whole label; --text-contains finds a part of "
                   "one, --ignore-case any capitals.\n"
                   "A picture of the screen is in /x/a.png\n"
                   "Look at squint get.\n");
    expect_written("find", missing, "b.jpg",
                   "No element found\n"
                   "TEXT is the whole label; --text-contains finds a part of "
                   "one, --ignore-case any capitals.\n"
                   "Wrote b.jpg: 1x2 pixels\n"
                   "Look at squint get.\n");
}

T_CASE(actions) {
    static const char *const replies[][2] = {
        { "tap", "{'tapped':{'x':1,'y':2,'deviceX':3,'deviceY':4,'"
                 "coordinateSpace':'image'},'element':{'label':'Buy'},'settled'"
                 ":true,'changed':{'x':5,'y':6,'width':7,'height':8}}" },
        { "tap", "{'tapped':{'x':1.5,'y':2.5,'deviceX':4,'deviceY':6},"
                 "'changed':null,'watchedMs':704}" },
        { "tap", "{'tapped':{'x':1,'y':2,'deviceX':1,'deviceY':2,"
                 "'durationMs':800},'settled':false,'changed':null}" },
        { "tap", "{'tapped':{'x':1,'y':2,'deviceX':1,'deviceY':2},"
                 "'verified':false,'reason':'slow','note':'N.'}" },
        { "input", "{'typed':{'characters':1,'submitted':true},"
                   "'field':{'hint':'Name'},'settled':true,'changed':null}" },
        { "scroll", "{'scrolled':{'direction':'down'}}" },
        { "swipe", "{'swiped':{'from':{'x':1,'y':2,'deviceX':1,'deviceY':2},"
                   "'to':{'x':3,'y':4,'deviceX':3,'deviceY':4}}}" },
        { "key", "{'pressed':'back'}" },
        { "launch", "{'launched':'a.b'}" },
        { "stop", "{'stopped':'a.b'}" },
    };
    static const char *const wanted[] = {
        "Tapped \"Buy\" at 1,2 (3,4 on the device); the screen changed (7x8 at "
        "5,6)\n",
        "Tapped at 1.5,2.5 (4,6 on the device); the screen did not change in "
        "0.7 s\n",
        "Pressed at 1,2 for 0.8 s; the screen did not change; it is still "
        "changing\n",
        "Tapped at 1,2; not compared: slow\nN.\n",
        "Typed 1 character into \"Name\" and pressed enter; the screen did not "
        "change\n",
        "Scrolled down\n",
        "Swiped from 1,2 to 3,4\n",
        "Pressed back\n",
        "Launched a.b\n",
        "Stopped a.b\n",
    };
    for (size_t i = 0; i < SQ_COUNT(wanted); i++) {
        expect_shown(replies[i][0], replies[i][1], wanted[i]);
    }
}

/* Names of members become words. */
T_CASE(facts) {
    expect_shown(
        "info",
        "{'model':'Pixel','android':'15','batteryPercent':80,'timeZone':'UTC',"
        "'untrusted':true,'deviceId':'a1','deviceNote':''}",
        "Pixel on a1\n"
        "  WHAT             VALUE\n"
        "  android          15\n"
        "  battery percent  80\n"
        "  time zone        UTC\n");
    expect_shown("info", "{'deviceId':'a1','deviceNote':'A dialog: Stop'}",
                 "A device on a1\nA dialog: Stop\n");
}

/* The form for other clients is not for people. */
T_CASE(screenshots_have_no_field_names) {
    expect_written(
        "screenshot",
        "{'mode':'inline','screenshotId':'s1','image':{'width':230,"
        "'height':512},'sizeBytes':4916,'tokens':171,"
        "'coordinateTransformHelper':{'enabled':true},'guidance':['g'],"
        "'interactiveElements':{'elements':[{'index':0,'type':'Text',"
        "'label':'L','identifier':'i','bounds':{'x':10,'y':20,'width':4,"
        "'height':6}}]},'untrusted':true}",
        "a.jpg",
        "Wrote a.jpg: 230x512 pixels, 5 KB, 171 tokens\n"
        "   X   Y  WHAT  LABEL  ID\n"
        "  12  23  Text  L      i\n"
        "squint tap X Y now counts in the pixels of this picture (s1).\n");
    expect_written(
        "screenshot",
        "{'screenshotId':'s2','region':{},'image':{'width':1,'height':1}}",
        "a.jpg",
        "Wrote a.jpg: 1x1 pixels\n"
        "To tap in this part of the screen, add --screenshot-id s2.\n");
    expect_written(
        "screenshot",
        "{'screenshotId':'s3','redacted':2,'image':{'width':1,'height':1}}",
        "a.jpg",
        "Wrote a.jpg: 1x1 pixels\n"
        "2 parts of the picture are hidden\n"
        "squint tap X Y now counts in the pixels of this picture "
        "(s3).\n");
}

T_CASE(small_numbers_are_exact) {
    struct shown shown = { .operation = "wait",
                           .reply = "{'found':false,'waitedMs':12}",
                           .request = "{\"timeoutMs\":10}" };
    T_OK(show(&shown, &t_err));
    T_STR(shown.text, "It did not appear within 10 ms\n");
    shown.reply = "{'found':true,'waitedMs':9}";
    T_OK(show(&shown, &t_err));
    T_STR(shown.text, "It appeared after 9 ms\n");
    expect_shown("wait", "{'found':false,'waitedMs':10,'deviceId':'a1'}",
                 "It did not appear within 10 ms on a1\n");
    expect_shown("wait", "{'found':true,'waitedMs':100,'deviceId':'a1'}",
                 "It appeared after 0.1 s on a1\n");
    expect_written("screenshot",
                   "{'mode':'inline','image':{'width':9,'height':9},"
                   "'sizeBytes':300,'tokens':1}",
                   "a.jpg", "Wrote a.jpg: 9x9 pixels, 300 bytes, 1 token\n");
}

/* Where nothing is kept, the next command needs an option. */
T_CASE(forgotten_screenshots_say_how_to_tap) {
    expect_written("screenshot",
                   "{'screenshotId':'s2','usage':'tap with x,y and "
                   "--max-image-dimension 500'}",
                   "a.jpg",
                   "Wrote a.jpg\ntap with x,y and --max-image-dimension "
                   "500\n");
}

T_CASE(past_screenshots) {
    expect_shown(
        "list_screenshots",
        "{'common':{'width':10,'height':20,'monitor':1},"
        "'screenshots':[{'screenshotRef':'AB','displayLocalTime':'2026-01-02 "
        "03:04:05','activity':'Mail'}],"
        "'window':{'from':'2026-01-02T00:00:00+01:00',"
        "'to':'2026-01-03T00:00:00+01:00'},'truncation':{'truncated':true,"
        "'totalAvailable':7,'nextCursor':'C1'},"
        "'diagnostics':{'degraded':false}}",
        "7 screenshots from 2026-01-02 00:00 to 2026-01-03 00:00, 1 of them "
        "shown\n"
        "  TIME                 SIZE   MONITOR  ACTIVITY  REFERENCE\n"
        "  2026-01-02 03:04:05  10x20        1  Mail      AB\n"
        "--cursor C1 shows the next.\n");
    expect_shown("list_screenshots",
                 "{'screenshots':[],'diagnostics':{'message':'No folder.',"
                 "'remediationHint':'Set X.'}}",
                 "No screenshots\nNo folder.\nSet X.\n");
    expect_shown("list_screenshots",
                 "{'screenshots':[],'diagnostics':{'message':'A folder is "
                 "missing.','folder':'/a/b'}}",
                 "No screenshots\nA folder is missing (/a/b)\n");
    expect_shown(
        "save_screenshot",
        "{'path':'/a/b.jpg','size':2500000,'image':{'width':1,'height':2}}",
        "Saved /a/b.jpg: 1x2 pixels, 2.5 MB\n");
}

T_CASE(hits_of_a_search) {
    expect_shown("search_screenshots",
                 "{'hits':[{'hit':1,'screenshotRef':'AB',"
                 "'displayLocalTime':'2026-01-02 03:04:05','snippet':'an "
                 "invoice'}],'readAs':'in the system\\u0027s zone'}",
                 "1 screenshot\n"
                 "  HIT  TIME                 REFERENCE  SNIPPET\n"
                 "    1  2026-01-02 03:04:05  AB         an invoice\n");
    expect_shown(
        "search_screenshots",
        "{'hits':[{'hit':7,'screenshotRef':'AB','displayLocalTime':'2026-01-02 "
        "03:04:05','snippet':'acmel','misread':true}],'unread':0}",
        "1 screenshot\n"
        "  HIT  TIME                 REFERENCE  SNIPPET\n"
        "    7  2026-01-02 03:04:05  AB         (misread?) acmel\n");
    expect_shown("search_screenshots",
                 "{'hits':[],'readAs':'in UTC','unread':0}",
                 "No screenshot shows this text\n"
                 "How the time was read: in UTC.\n");
    expect_shown("search_screenshots",
                 "{'hits':[],'unread':2,'note':'2 are not read: run squint "
                 "archive index.'}",
                 "No screenshot that has been read shows this text\n"
                 "2 are not read: run squint archive index.\n");
    expect_shown("contact_sheet",
                 "{'screenshots':[],'search':{'text':'x','unread':2,'note':'2 "
                 "are not read.'}}",
                 "No screenshot shows this text\n2 are not read.\n");
}

/* A reply whose members have other types is shown as far as it can be. */
T_CASE(strange_replies_do_no_harm) {
    static const char *const replies[] = {
        "{}",
        "{'elements':5,'devices':{},'screenshots':'x','tapped':[],"
        "'changed':true,'image':null,'window':{'from':'2'}}",
        "{'elements':['','1','1 2','1 2,3',{},[]],'tree':[1,{}],'apps':[1],"
        "'devices':[null],'screenshots':[[]]}",
    };
    for (size_t i = 0; i < SQ_COUNT(replies); i++) {
        for (size_t t = 0; sq_tools[t]; t++) {
            struct shown shown = { .operation = sq_tools[t]->name,
                                   .reply = replies[i] };
            T_OK(show(&shown, &t_err));
        }
        for (size_t t = 0; sq_archive_tools[t]; t++) {
            struct shown shown = { .operation = sq_archive_tools[t]->name,
                                   .reply = replies[i] };
            T_OK(show(&shown, &t_err));
        }
    }
}

T_CASE(survives_lack_of_memory) {
    struct shown shown = { .operation = "devices",
                           .reply = "{'devices':[{'id':'a'}],'count':1}" };
    T(t_alloc_torture(show, &shown) > 0);
}
