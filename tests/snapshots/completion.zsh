#compdef squint
# zsh completion for squint, written by: squint completion zsh
_squint() {
    local -a verbs config specs
    verbs=(
            'demo:watch an agent use the built-in demo phone'
            'install:add squint to a client\: Claude, Cursor, VS Code, ...'
            'doctor:check what works, and say what to do about the rest'
            'connect:connect adb to a phone in the network, or list those'
            'pair:pair adb with a phone that shows an address and a code'
            'mcp:serve a client over standard input and output (MCP)'
            'serve:serve clients over HTTP (MCP)'
            'inspect:see in a browser what agents see and do'
            'watch:show a device live, on the terminal or in a file'
            'record:save the screen of a device whenever it changes'
            'replay:play recorded calls against a device'
            'archive:count past screenshots, or read their text'
            'scale:make a picture small and legible, and say what it costs'
            'diff:say whether and where two pictures differ'
            'tokens:say what a picture of that size costs each model'
            'ocr:print the text of a picture'
            'find-text:find a text in a picture'
            'find-image:find a small picture in a larger one'
            'help:say more about a command'
            'rtfm:print the manual that agents read'
            'man:print the man page, in roff'
            'config:write, check or find the configuration file'
            'completion:print the script that lets a shell complete words'
            'version:print the version, and what it was built from'
            'devices:List devices'
            'screenshot:Look at the screen'
            'visual-snapshot:Look without elements'
            'dump:List elements'
            'find:Find elements'
            'visual-find-text:Find text in the pixels'
            'read:Read the screen'\''s text'
            'tap:Tap the screen'
            'input:Type text'
            'scroll:Scroll'
            'swipe:Swipe'
            'key:Press a key'
            'launch:Launch an app'
            'stop:Stop an app'
            'apps:List apps'
            'wait:Wait for the screen'
            'accessibility-check:Rate the elements'
            'steps:Do several things'
            'pinch:Pinch with several fingers'
            'open:Open a URL'
            'permission:Change a permission'
            'reset:Delete the data of an app'
            'rotate:Rotate the screen'
            'appearance:Change the appearance'
            'location:Set the location'
            'clipboard:Read or set the clipboard'
            'notifications:List notifications'
            'logs:Read the log'
            'info:Describe the device'
            'wake:Wake the screen'
            'video:Record a video'
            'install-app:Install an app'
            'uninstall-app:Uninstall an app'
            'visual-find-image:Find a picture in the pixels'
            'remember:Keep a picture by name'
            'forget:Remove a remembered picture'
            'list:List past screenshots'
            'get:Show a past screenshot'
            'crop:Zoom into a past screenshot'
            'save:Save a past screenshot'
            'sheet:A day in one picture'
            'search:Search past screenshots'
    )
    if (( CURRENT == 2 )); then
        _describe command verbs
        return
    fi
    config=(
            '--config=[read the options from this file; none\: see squint config path]:FILE:_files'
            '--visual-mode-packages=[apps whose elements are never read; find returns a picture]:A,B:'
            '--auto-fallback-screenshot[return a picture if find finds nothing]'
            '--no-auto-fallback-screenshot[return a picture if find finds nothing]'
            '--include-base64[give that picture, and that of visual-snapshot; false\: only its path]'
            '--no-include-base64[give that picture, and that of visual-snapshot; false\: only its path]'
            '--max-dimension=[longest side of a screenshot, in pixels]:N:'
            '--format=[format of a screenshot, unless the call names one; auto\: a palette PNG for interfaces, JPEG for photos]:NAME:(jpeg webp png auto)'
            '--ocr-enabled[offer operations that read text in pictures]'
            '--ocr-language=[language of Tesseract'\''s data\: eng, chi_sim, eng+deu]:NAME:'
            '--template-matching-enabled[offer operations that find pictures in pictures]'
            '--receipt=[how thoroughly an action checks its effect]:HOW:(none fast full)'
            '--watch-ms=[how long a receipt watches an unchanged screen, in ms; at most half of limits.timeoutMs]:N:'
            '--profile=[how the model counts the tokens of a picture]:NAME:(claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3)'
            '--tools=[one tool per operation instead of the one tool ui]:HOW:(ui split)'
            '--read-only[offer only operations that change nothing]'
            '--open-schemes=[schemes of URLs that may be opened besides http and https]:A,B:'
            '--install-from=[folder whose apps may be installed; allows uninstalling, too]:FOLDER:_files'
            '--max-result-bytes=[maximum bytes of a reply; larger pictures are scaled down or linked]:N:'
            '--timeout-ms=[time limit for a device to answer, in milliseconds]:N:'
            '--drain-ms=[how long running calls may continue after the end of standard input (serve\: after SIGTERM), in milliseconds]:N:'
            '--demo-width=[width of the demo phone, in pixels]:N:'
            '--demo-height=[height of the demo phone, in pixels]:N:'
            '--demo-density=[pixels per dp of the demo phone]:N:'
            '--demo-seed=[the same seed and clock give the same screens]:N:'
            '--demo-reaction=[apps of the demo phone react to touches after N ms]:N:'
            '--demo-pressed=[the same, but show what is touched as pressed before]:N:'
            '-s[device of calls that name none, if several are attached; see squint devices]:ID:'
            '--device=[device of calls that name none, if several are attached; see squint devices]:ID:'
            '--adb-server=[address of the adb server, tcp\:HOST\:PORT, if not the default; off\: no Android devices]:ADDRESS:'
            '--adb-path=[path of adb, if it is not in the Android SDK or PATH]:FILE:_files'
            '--start-adb[start the adb server if it is not running]'
            '--no-start-adb[start the adb server if it is not running]'
            '--eye=[run squint'\''s own small program on phones, for faster screenshots; auto\: only servers do]:WHEN:(off auto on)'
            '--emulator=[use the emulator'\''s gRPC interface beside adb; fast\: it also scales pictures]:HOW:(exact fast off)'
            '--output-directory=[folder for screenshots]:DIR:_files'
            '--archive=[folders of past screenshots, each with what may leave it\: DIR, or DIR=none, =metadata, =labels, =thumbnail, =full; the strictest entry that covers a file holds]:DIR:_files'
            '--manictime=[ManicTime'\''s data\: its screenshots and ManicTimeReports.db]:DIR:_files'
            '--time-zone=[time zone of times without an offset, such as Europe/Zurich; unset\: that of the system]:NAME:'
            '--activity=[program that recorded the user'\''s activities]:WHO:(auto manictime activitywatch csv visual none)'
            '--activity-path=[database of activities, or a CSV file with start,end,label]:FILE:_files'
            '--activity-watch-url=[address of the ActivityWatch server]:URL:'
            '--save-directory=[folder for saved copies of past screenshots; unset\: saving is disabled]:DIR:_files'
            '--exclude=[times whose past screenshots do not exist for the model\: Sat-Sun, Mon-Fri 20\:00-06\:00, 2026-09-07]:WHEN:'
            '--exclude-apps=[apps whose past screenshots do not exist for the model\: words of their names; nor do those whose app is not known]:A,B:'
            '--exclude-titles=[the same by window titles\: POSIX extended regular expressions, in any case]:REGEX:'
            '--archive-index[while serving, read the text of new past screenshots, for search_screenshots]'
            '--redact-passwords=[when the elements are read to hide password fields in pictures\: while one is focused, always, or only where they are known]:WHEN:(focused known always)'
            '--redact=[text to hide in pictures and replies\: cards, emails, keys; needs ui.ocrEnabled]:A,B:'
            '--redact-patterns=[more such text\: POSIX extended regular expressions]:REGEX:'
            '--redact-regions=[parts of every picture to hide, in percent\: 0 0 100 5]:X Y W H:'
            '--redact-apps=[apps whose pictures are hidden\: packages, or words of activities]:A,B:'
            '--journal=[record the calls of clients and their answers in this new file, or in a new file in this folder]:FILE:_files'
            '--journal-max-megabytes=[size at which a journal ends]:N:'
            '--log-level=[messages on standard error\: info adds what is served, debug each call]:LEVEL:(error warning info debug)'
    )
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
    demo)
        specs=(
            '-o[folder for the page]:FOLDER:_files'
            '--output=[folder for the page]:FOLDER:_files'
            '--reset[reset the demo phone that other commands share, and exit]'
            '--adb=[act as a phone that adb can reach; port 0\: any free port]:HOST\:PORT:'
            '--serial=[the phone'\''s serial number]:NAME:'
            '--clock=[set the phone'\''s clock to N seconds after 1970 and stop it]:N:'
            '--fault=[simulate this fault; see docs/demo-phone.md]:NAME\[=N\],...:'
            '--delay=[delay these programs of the phone]:PROGRAM=MS,...:'
            '--link=[limit the speed of the connection to N bytes per second]:N:'
            '--run-programs[run programs that are copied to the phone, on this machine]'
            '--log=[write a line per command\: its time, status and bytes]:FILE:_files'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|profile|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|log-level|)(|=)\[*}) ;;
    install)
        specs=(
            '--print[print the change, but do not make it]'
            '--uninstall[remove the entry]'
            '--plain[write an entry without flags, with the defaults of squint mcp]'
            '--name=[name of the entry]:NAME:'
            '--config=[the client'\''s configuration file, if it is elsewhere]:FILE:_files'
            '--command=[program that the client starts]:PATH:_files'
            '--json[print JSON, errors too]'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(claude-desktop claude-code cursor vscode codex goose cline windsurf zed gemini)'
        ) ;;
    doctor)
        specs=(
            '--json[print the findings as JSON]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|ocr-enabled|ocr-language|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|device|adb-server|adb-path|start-adb|eye|emulator|output-directory|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    connect)
        specs=(
            '--json[print JSON, errors too]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|timeout-ms|adb-server|adb-path|start-adb|log-level|)(|=)\[*}) ;;
    pair)
        specs=(
            '--json[print JSON, errors too]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|timeout-ms|adb-server|adb-path|start-adb|log-level|)(|=)\[*}) ;;
    mcp)
        specs=(
            '--replay=[answer calls from this journal, in their order, without a device]:JOURNAL:'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|auto-fallback-screenshot|include-base64|max-dimension|format|ocr-enabled|ocr-language|template-matching-enabled|receipt|watch-ms|profile|tools|read-only|open-schemes|install-from|max-result-bytes|timeout-ms|drain-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|device|adb-server|adb-path|start-adb|eye|emulator|output-directory|archive|manictime|time-zone|activity|activity-path|activity-watch-url|save-directory|exclude|exclude-apps|exclude-titles|archive-index|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|journal|journal-max-megabytes|log-level|)(|=)\[*}) ;;
    serve)
        specs=(
            '--listen=[address to listen at; port 0\: any free port]:ADDRESS\:PORT:'
            '--unix=[listen on a Unix socket instead]:PATH:_files'
            '--token-file=[file with the token that clients must send; created if missing]:FILE:_files'
            '--any-address[allow --listen with an address that other computers can reach]'
            '--allow-host=[further values of the Host header to accept, separated by commas]:NAMES:'
            '--allow-origin=[origins of web pages to accept, separated by commas]:ORIGINS:'
            '--authorization-server=[OAuth server to name to clients that send no token]:URL:'
            '--public-url=[address of /mcp for clients, if a proxy passes on requests]:URL:'
            '--max-connections=[open connections at most]:N:'
            '--max-sessions=[sessions at most]:N:'
            '--inspect[offer the inspector, a page that shows what agents see and do]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|auto-fallback-screenshot|include-base64|max-dimension|format|ocr-enabled|ocr-language|template-matching-enabled|receipt|watch-ms|profile|tools|read-only|open-schemes|install-from|max-result-bytes|timeout-ms|drain-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|device|adb-server|adb-path|start-adb|eye|emulator|output-directory|archive|manictime|time-zone|activity|activity-path|activity-watch-url|save-directory|exclude|exclude-apps|exclude-titles|archive-index|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|journal|journal-max-megabytes|log-level|)(|=)\[*}) ;;
    inspect)
        specs=(
            '--listen=[address of the server; port 0\: start one at any free port]:ADDRESS\:PORT:'
            '--token-file=[file with the token of the server; created if missing]:FILE:_files'
            '--print-only[only print the link, do not open a browser]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|auto-fallback-screenshot|include-base64|max-dimension|format|ocr-enabled|ocr-language|template-matching-enabled|receipt|watch-ms|profile|tools|read-only|open-schemes|install-from|max-result-bytes|timeout-ms|drain-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|device|adb-server|adb-path|start-adb|eye|emulator|output-directory|archive|manictime|time-zone|activity|activity-path|activity-watch-url|save-directory|exclude|exclude-apps|exclude-titles|archive-index|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|journal|journal-max-megabytes|log-level|)(|=)\[*}) ;;
    watch)
        specs=(
            '-o[replace this file instead\: .jpg, .webp or .png; none\: draw on the terminal]:FILE:_files'
            '--output=[replace this file instead\: .jpg, .webp or .png; none\: draw on the terminal]:FILE:_files'
            '--every=[interval between captures\: 200ms, 2s, 1m]:TIME:'
            '-s[device to watch; see squint devices]:ID:'
            '--device=[device to watch; see squint devices]:ID:'
            '--count=[stop after N captures; none\: at Ctrl-C]:N:'
            '--json[with -o, print JSON\: a line for each picture or error, and one at the end]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|ocr-enabled|ocr-language|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    record)
        specs=(
            '--every=[time between captures\: 30s, 5m, 1h]:TIME:'
            '--into=[folder to save in]:FOLDER:_files'
            '-s[device to record; see squint devices]:ID:'
            '--device=[device to record; see squint devices]:ID:'
            '--count=[stop after N captures; none\: at Ctrl-C]:N:'
            '--json[print JSON\: a line for each file or error, and one at the end]'
            '--index[also read the text of each picture, for squint search]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    replay)
        specs=(
            '-s[device to play it on; see squint devices]:ID:'
            '--device=[device to play it on; see squint devices]:ID:'
            '--export=[print it for a shell or for Maestro instead of playing it]:WORD:(sh maestro)'
            '--json[print the answer as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|auto-fallback-screenshot|include-base64|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|receipt|watch-ms|profile|read-only|open-schemes|install-from|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    archive)
        specs=(
            '--json[print the figures as JSON]'
            '--delete[index\: remove the texts of all pictures]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(stats index)'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    scale)
        specs=(
            '-o[where to write the picture; - is standard output]:OUT:_files'
            '--output=[where to write the picture; - is standard output]:OUT:_files'
            '--max-dimension=[longest side of the result]:N:'
            '--budget-tokens=[or the largest size that costs at most N tokens]:N:'
            '--profile=[model whose tokens are counted]:NAME:(claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3)'
            '--format=[picture format]:FORMAT:(jpeg webp png auto)'
            '--quality=[quality of JPEG and WebP]:N:'
            '--colours=[PNG with a palette of at most N colours]:N:'
            '--kernel=[resampling filter]:KERNEL:(catmull-rom lanczos3 area)'
            '--region=[only this part, in pixels of IN]:X,Y,W,H:'
            '--raw[keep the native size]'
            '--full-chroma[JPEG 4\:4\:4 instead of 4\:2\:0]'
            '--json[print the report as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    diff)
        specs=(
            '--map[draw the changed 64x64 tiles]'
            '--json[print the answer as JSON]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    tokens)
        specs=(
            '--budget-tokens=[the largest size of that shape for N tokens]:N:'
            '--profile=[only this model profile; none\: all]:NAME:(claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3)'
            '--json[print the table as JSON]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    ocr)
        specs=(
            '--region=[only this part, in pixels of FILE]:X,Y,W,H:'
            '--ocr-language=[Tesseract'\''s name of the language]:NAME:'
            '--json[print words, lines and boxes as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    find-text)
        specs=(
            '--region=[only this part, in pixels of FILE]:X,Y,W,H:'
            '--ocr-language=[Tesseract'\''s name of the language]:NAME:'
            '--first[stop reading when the text is found; faster]'
            '--json[print matches as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    find-image)
        specs=(
            '--region=[only this part, in pixels of FILE]:X,Y,W,H:'
            '--min-score=[lowest score of a hit]:N:'
            '--exact[find only places with identical pixels]'
            '--same-scale[do not try other sizes; faster]'
            '--any-colours[also its outlines in other colours]'
            '--json[print hits as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    help)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(demo install doctor connect pair mcp serve inspect watch record replay archive scale diff tokens ocr find-text find-image help rtfm man config completion version devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search)'
        ) ;;
    rtfm)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search)'
        ) ;;
    man)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    config)
        specs=(
            '--config=[use this file]:FILE:_files'
            '--json[init, check, path\: print JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(init check path schema)'
        ) ;;
    completion)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(bash fish zsh)'
        ) ;;
    version)
        specs=(
            '--verbose[also print libraries, features and the processor code in use]'
            '--json[print everything as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    devices)
        specs=(
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|device|adb-server|adb-path|start-adb|redact|redact-patterns|log-level|)(|=)\[*}) ;;
    screenshot)
        specs=(
            '--inline[give the picture; --no-inline\: save it as a file in the output folder]'
            '--no-inline[give the picture; --no-inline\: save it as a file in the output folder]'
            '--max-dimension=[pixels of its longest side]:N:'
            '--raw[the native size]'
            '--size=[half is 512 pixels, quarter 256, thumb 128, full the native size; as WebP]:WORD:(half full quarter thumb)'
            '--format=[picture format; that of -o if it says one]:WORD:(jpeg webp png auto)'
            '--quality=[of JPEG and WebP]:N:'
            '--budget-tokens=[the largest size that costs at most N tokens]:N:'
            '--local-path=[save it under this name in the output folder]:NAME:'
            '--region=[only this part of the screen, in more detail]:X,Y,W,H:'
            '--screenshot-id=[the picture that the region is in, such as s3; default\: the latest]:ID:'
            '--display-id=[another display of the device]:ID:'
            '--elements[also list the interactive elements]'
            '--marks[draw a numbered box around what can be touched]'
            '--grid[draw a grid whose cells tap takes]'
            '--vision[also what only the pixels show, marked or listed]'
            '--app-name=[repeated in the answer]:NAME:'
            '--screen-name=[repeated in the answer]:NAME:'
            '--state=[repeated in the answer]:NAME:'
            '--enable-coordinate-caching[also give a hash of the view'\''s structure]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|ocr-enabled|ocr-language|template-matching-enabled|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    visual-snapshot)
        specs=(
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[write the picture also there\: .jpg, .webp or .png; none\: into the output folder]:FILE:_files'
            '--output=[write the picture also there\: .jpg, .webp or .png; none\: into the output folder]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|include-base64|max-dimension|ocr-enabled|ocr-language|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    dump)
        specs=(
            '--compact[list what can be touched or has a label; --no-compact\: the whole tree]'
            '--no-compact[list what can be touched or has a label; --no-compact\: the whole tree]'
            '--interactive-only[leave out plain labels]'
            '--filter-level=[list only what is tappable in this sense]:WORD:(strict moderate permissive none)'
            '--limit=[list at most N]:N:'
            '--offset=[leave out the first ones]:N:'
            '--vision[also list text, remembered pictures and shapes that only the pixels show]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    find)
        specs=(
            '--limit=[list at most N]:N:'
            '--max-tier=[how far to go\: elements, icons by their ids, text in the pixels, remembered pictures, shapes, a picture]:WORD:(tree icon ocr image shape picture)'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[write the screen there\: .jpg, .webp or .png; none\: only if nothing matches, into the output folder]:FILE:_files'
            '--output=[write the screen there\: .jpg, .webp or .png; none\: only if nothing matches, into the output folder]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|auto-fallback-screenshot|include-base64|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    visual-find-text)
        specs=(
            '--text=[the text to find]:TEXT:'
            '--region=[only this part of the screen]:X,Y,W,H:'
            '--limit=[list at most N]:N:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    read)
        specs=(
            '--region=[only this part of the screen]:X,Y,W,H:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    tap)
        specs=(
            '--x=[pixels from the left edge of the latest picture]:N:'
            '--y=[pixels from its top edge]:N:'
            '--cell=[a cell of the grid that screenshot --grid draws]:TEXT:'
            '--screenshot-id=[the picture that the point is in, such as s3; default\: the latest]:ID:'
            '--device-space[the point is in pixels of the device]'
            '--number-of-taps=[2 is a double tap]:N:'
            '--duration-ms=[milliseconds to hold, for a long press]:N:'
            '--apply-screenshot-scale[multiply the point by --screenshot-scale-x and -y]'
            '--screenshot-scale-x=[factor for x]:N:'
            '--screenshot-scale-y=[factor for y]:N:'
            '--guard=[what to do if the screen around the point is not as in the picture\: report, or strict, which refuses]:WORD:(report strict)'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    input)
        specs=(
            '--text=[what to type]:TEXT:'
            '--clear[first delete what the field contains]'
            '--hide-keyboard[afterwards hide the keyboard on the screen]'
            '--submit[press enter afterwards]'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    scroll)
        specs=(
            '--direction=[where to look next]:WORD:(up down left right)'
            '--amount=[how far, as a share of the height or width]:N:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(up down left right)'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    swipe)
        specs=(
            '--from=[where the finger goes down, in pixels of the latest picture]:X,Y:'
            '--to=[where it goes up]:X,Y:'
            '--duration-ms=[milliseconds it takes\: short is a flick, long a drag]:N:'
            '--screenshot-id=[the picture that the points are in, such as s3; default\: the latest]:ID:'
            '--device-space[the points are in pixels of the device]'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    key)
        specs=(
            '--name=[which key\: back, home, enter, or another that the device has]:KEY:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(back home enter tab delete backspace del forward_delete forward_del escape space app_switch recents menu search power wakeup sleep up down left right center dpad_up dpad_down dpad_left dpad_right dpad_center page_up page_down move_home move_end insert volume_up volume_down volume_mute mute camera call endcall notification settings assist brightness_down brightness_up media_play_pause media_stop media_next media_previous media_rewind media_fast_forward media_play media_pause cut copy paste all_apps tv guide channel_up channel_down)'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    launch)
        specs=(
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--activity=[start this activity of the app instead of its first]:TEXT:'
            '--extras=[values for the app\: NAME=VALUE]:A,B:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    stop)
        specs=(
            '--app=[package, bundle id, or label if squint apps shows it]:APP:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    apps)
        specs=(
            '--limit=[list at most N]:N:'
            '--offset=[leave out the first ones]:N:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|redact|redact-patterns|log-level|)(|=)\[*}) ;;
    wait)
        specs=(
            '--text=[wait until a label contains this]:TEXT:'
            '--stable-ms=[milliseconds that the screen must stay the same]:N:'
            '--timeout-ms=[milliseconds to wait at most]:N:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|read-only|max-result-bytes|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    accessibility-check)
        specs=(
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|redact|redact-patterns|log-level|)(|=)\[*}) ;;
    steps)
        specs=(
            '--steps=[a JSON array of calls, each with its operation]:JSON:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[write the pictures of the steps there, and one of the end\: .jpg, .webp or .png; none\: the first under a new name, if a step took one]:FILE:_files'
            '--output=[write the pictures of the steps there, and one of the end\: .jpg, .webp or .png; none\: the first under a new name, if a step took one]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|auto-fallback-screenshot|include-base64|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|receipt|watch-ms|profile|read-only|open-schemes|install-from|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    pinch)
        specs=(
            '--x=[the middle of the fingers, in pixels of the latest picture]:N:'
            '--y=[pixels from its top edge]:N:'
            '--scale=[2 moves the fingers apart to twice their distance, 0.5 together]:N:'
            '--degrees=[turn them clockwise]:N:'
            '--to=[where the middle of the fingers goes]:X,Y:'
            '--fingers=[how many]:N:'
            '--duration-ms=[milliseconds it takes]:N:'
            '--screenshot-id=[the picture that the points are in, such as s3; default\: the latest]:ID:'
            '--device-space[the points are in pixels of the device]'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    open)
        specs=(
            '--url=[what to open, such as https\://example.com/]:URL:'
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|open-schemes|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    permission)
        specs=(
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--permission=[camera, microphone, location, photos, ... or a full name]:TEXT:'
            '--change=[what to do with it]:WORD:(grant revoke reset)'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    reset)
        specs=(
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--confirm[required\: this cannot be undone]'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    rotate)
        specs=(
            '--orientation=[where the top of the screen is]:WORD:(portrait landscape portraitReversed landscapeReversed auto)'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(portrait landscape portraitReversed landscapeReversed auto)'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    appearance)
        specs=(
            '--dark=[dark mode]:WORD:(off on auto)'
            '--font-scale=[size of texts; 1 is normal]:N:'
            '--density=[dots per inch; 0 restores that of the device]:N:'
            '--locale=[language, such as de-DE]:TEXT:'
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    location)
        specs=(
            '--latitude=[degrees north]:N:'
            '--longitude=[degrees east]:N:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    clipboard)
        specs=(
            '--text=[what to put there; without it the clipboard is read]:TEXT:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    notifications)
        specs=(
            '--open[open the shade on the screen instead]'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    logs)
        specs=(
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--limit=[lines of the log]:N:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|redact|redact-patterns|log-level|)(|=)\[*}) ;;
    info)
        specs=(
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|redact|redact-patterns|log-level|)(|=)\[*}) ;;
    wake)
        specs=(
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    video)
        specs=(
            '--record=[start, or stop and save]:WORD:(start stop)'
            '--seconds=[longest duration]:N:'
            '--local-path=[name of the file in the output folder]:TEXT:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(start stop)'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    install-app)
        specs=(
            '--paths=[APK files, or one .app folder, in the folder of tools.installFrom]:FILE:_files'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|install-from|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    uninstall-app)
        specs=(
            '--app=[label, package or bundle id of the app; see squint apps]:APP:'
            '--receipt=[how the effect is checked; full also lists the elements]:WORD:(none fast full)'
            '--look[also give a picture of what changed]'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '-o[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--output=[look as with --look, and write the picture there\: .jpg, .webp or .png; none\: --look writes it under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|visual-mode-packages|max-dimension|ocr-enabled|ocr-language|watch-ms|profile|read-only|install-from|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    visual-find-image)
        specs=(
            '--name=[a remembered picture]:TEXT:'
            '--local-path=[a file in the output folder]:NAME:'
            '--region=[the part of a picture to look for]:X,Y,W,H:'
            '--within=[look only in this part of the screen]:X,Y,W,H:'
            '--min-score=[least score of a hit]:N:'
            '--limit=[list at most N]:N:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '--selector.text=[the whole label of the element]:TEXT:'
            '--selector.text-contains=[a part of its label]:TEXT:'
            '--selector.resource-id=[a part of its resource id]:TEXT:'
            '--selector.class-name=[a part of its class name]:TEXT:'
            '--selector.content-desc=[its whole description]:TEXT:'
            '--selector.nearest-to=[the nearest one to this text comes first]:TEXT:'
            '--selector.ignore-case[capitals do not matter in the selector]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    remember)
        specs=(
            '--name=[the name to keep it under]:TEXT:'
            '--region=[the part of the picture to keep]:X,Y,W,H:'
            '-s[which device; see squint devices]:ID:'
            '--device=[which device; see squint devices]:ID:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|max-dimension|ocr-enabled|ocr-language|template-matching-enabled|read-only|max-result-bytes|timeout-ms|demo-width|demo-height|demo-density|demo-seed|demo-reaction|demo-pressed|adb-server|adb-path|start-adb|eye|emulator|output-directory|redact-passwords|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    forget)
        specs=(
            '--name=[the remembered picture to remove]:TEXT:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|template-matching-enabled|read-only|max-result-bytes|timeout-ms|redact|redact-patterns|log-level|)(|=)\[*}) ;;
    list)
        specs=(
            '--start-date=[first day or time\: 2026-01-15, 2026-01-15T10\:30, today, yesterday, monday, -7d; none\: counts per month]:WHEN:'
            '--end-date=[last day, included, or time; none\: the first day alone]:WHEN:'
            '--at=[those nearest to a moment, before and after it\: "yesterday 10\:00", 2026-01-15T10\:30]:WHEN:'
            '--limit=[list at most N]:N:'
            '--sampling-strategy=[how to choose them]:WORD:(activity_transition interval coverage visual)'
            '--interval-seconds=[at most one every N seconds; 0\: all]:N:'
            '--monitor=[of this monitor only]:N:'
            '--root=[of this archive only]:NAME:'
            '--cursor=[start lists all in order; then the cursor of the last page]:TEXT:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    get)
        specs=(
            '--ref=[which one; see squint list]:REF:'
            '--cell=[which one\: a number in the latest squint sheet]:N:'
            '--hit=[which one\: a number in the latest squint search]:N:'
            '--full=[how the whole picture comes]:WORD:(link inline none)'
            '--max-dimension=[longest side of the picture; none\: the stored thumbnail, or 512]:N:'
            '-o[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|profile|read-only|max-result-bytes|timeout-ms|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    crop)
        specs=(
            '--ref=[which one; see squint list]:REF:'
            '--cell=[which one\: a number in the latest squint sheet]:N:'
            '--hit=[which one\: a number in the latest squint search]:N:'
            '--coordinate-units=[units of the part]:WORD:(percent normalized pixels image)'
            '--region=[only this part, in the units of --coordinate-units]:X,Y,W,H:'
            '-o[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|profile|read-only|max-result-bytes|timeout-ms|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    save)
        specs=(
            '--ref=[which one; see squint list]:REF:'
            '-o[name in the folder of --save-directory, with .jpg, .jpeg, .webp or .png, or .jpg is added; none\: its time]:NAME:'
            '--output=[name in the folder of --save-directory, with .jpg, .jpeg, .webp or .png, or .jpg is added; none\: its time]:NAME:'
            '--coordinate-units=[units of the part]:WORD:(percent normalized pixels image)'
            '--region=[only this part, in the units of --coordinate-units]:X,Y,W,H:'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|archive|manictime|time-zone|activity|activity-path|activity-watch-url|save-directory|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    sheet)
        specs=(
            '--start-date=[first day or time\: 2026-01-15, today, yesterday, -7d]:WHEN:'
            '--end-date=[last day, included, or time; none\: the first day alone]:WHEN:'
            '--refs=[these instead of dates; see squint list]:REF,REF:'
            '--query=[only those that show this text; see squint search]:TEXT:'
            '--columns=[cells beside each other; none\: what fits best]:N:'
            '--budget-tokens=[tokens that the picture may cost]:N:'
            '--limit=[show at most N]:N:'
            '--monitor=[of this monitor only]:N:'
            '--sampling-strategy=[how to choose them]:WORD:(activity_transition interval coverage visual)'
            '-o[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png; none\: under a new name]:FILE:_files'
            '--show[show the picture on the terminal; --no-show\: never]'
            '--no-show[show the picture on the terminal; --no-show\: never]'
            '--json[print JSON, errors too; without -o with the picture in base64]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|profile|read-only|max-result-bytes|timeout-ms|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    search)
        specs=(
            '--text=[words, or parts of them, that were on the screen; "a phrase", -without]:TEXT:'
            '--start-date=[first day or time, or a period\: yesterday, -7d, last month, 2026-01; none\: any time]:WHEN:'
            '--end-date=[last day, included, or time; none\: the first day alone]:WHEN:'
            '--app=[only while this was in use\: words of its name or title; also without text]:TEXT:'
            '--limit=[list at most N]:N:'
            '--show[also show the pictures as one sheet on the terminal]'
            '--json[print JSON, errors too]'
            '--color=[whether to print colours; auto\: on a terminal]:WORD:(auto always never)'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=(${(M)config:#--(|no-)(config|ocr-enabled|ocr-language|read-only|max-result-bytes|timeout-ms|archive|manictime|time-zone|activity|activity-path|activity-watch-url|exclude|exclude-apps|exclude-titles|redact|redact-patterns|redact-regions|redact-apps|log-level|)(|=)\[*}) ;;
    esac
    _arguments -s $specs
}
if [[ $funcstack[1] == _squint ]]; then
    _squint "$@"
else
    compdef _squint squint
fi
