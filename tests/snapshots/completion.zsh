#compdef squint
# zsh completion for squint, written by: squint completion zsh
_squint() {
    local -a verbs config specs
    verbs=(
            'mcp:serve a client over standard input and output (MCP)'
            'serve:serve clients over HTTP (MCP)'
            'demo:watch an agent'\''s loop on the built-in phone'
            'doctor:say what works, what does not, and what to do'
            'install:make squint known to a client'
            'record:keep what a device shows, as past screenshots'
            'archive:count what the folders of past screenshots hold'
            'scale:make a picture small and legible, and say what it costs'
            'diff:say whether and where two pictures differ'
            'tokens:say what a picture of that size costs each model'
            'completion:print the script that lets a shell complete words'
            'man:print the man page, in roff'
            'devices:List devices'
            'screenshot:Look at the screen'
            'visual-snapshot:Look without elements'
            'dump:List elements'
            'find:Find elements'
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
            'list:List past screenshots'
            'get:Show a past screenshot'
            'crop:Zoom into a past screenshot'
            'save:Save a past screenshot'
            'sheet:A day in one picture'
    )
    if (( CURRENT == 2 )); then
        _describe command verbs
        return
    fi
    config=(
            '--config=[the configuration file]:FILE:_files'
            '--visual-mode-packages=[apps whose element tree is never read\: find gives a picture]:A,B:'
            '--auto-fallback-screenshot[give a picture when find finds nothing]'
            '--include-base64[false\: such a picture is only a path, not an image]'
            '--max-image-dimension=[pixels of the long side of a screenshot]:N:'
            '--ocr-enabled[offer to find text in pictures]'
            '--template-matching-enabled[offer to find pictures in pictures]'
            '--receipt=[what a tap tells about its effect]:HOW:(none fast full)'
            '--profile=[how the model counts the tokens of a picture]:NAME:(claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3)'
            '--tools=[one tool per operation instead of the one tool ui]:HOW:(ui split)'
            '--read-only[only look\: no operation that acts]'
            '--max-result-bytes=[bytes of a reply; larger pictures shrink or become links]:N:'
            '--timeout-ms=[milliseconds a device may take to answer]:N:'
            '--drain-ms=[milliseconds calls may go on when the client ends its input]:N:'
            '--demo-width=[pixels of the demo phone]:N:'
            '--demo-height=[pixels of the demo phone]:N:'
            '--demo-density=[pixels per dp of the demo phone]:N:'
            '--demo-seed=[the same seed and clock give the same screens]:N:'
            '--adb-server=[tcp\:HOST\:PORT of the adb server, if not the usual one; or off]:ADDRESS:'
            '--adb-path=[the program adb, if not that of the Android SDK or PATH]:FILE:_files'
            '--start-adb[start the adb server where it does not run]'
            '--output-directory=[where screenshots are written]:DIR:_files'
            '--archive=[past screenshots\: DIR or DIR=metadata, =labels, =thumbnail, =full]:DIR:_files'
            '--manictime=[ManicTime'\''s data\: its screenshots and ManicTimeReports.db]:DIR:_files'
            '--time-zone=[zone of times without an offset, as Europe/Zurich; none\: the system'\''s]:NAME:'
            '--activity=[who knows what was done when]:WHO:(auto manictime activitywatch csv visual none)'
            '--activity-path=[database or CSV table (start,end,label) of activities]:FILE:_files'
            '--activity-watch-url=[ActivityWatch'\''s server on this machine]:URL:'
            '--save-directory=[where copies of past screenshots may be saved; none\: nowhere]:DIR:_files'
            '--log-level=[what is worth a line on standard error]:LEVEL:(error warning info debug)'
    )
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
    mcp)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    serve)
        specs=(
            '--listen=[where to listen (127.0.0.1\:4477); port 0\: any free one]:ADDRESS\:PORT:'
            '--unix=[listen on a Unix socket instead]:PATH:_files'
            '--token-file=[the token that clients must send; created if it is missing]:FILE:_files'
            '--any-address[allow --listen to name an address other computers can reach]'
            '--allow-host=[other names of this server in the Host header, with commas]:NAMES:'
            '--allow-origin=[web pages that may use this server, with commas]:ORIGINS:'
            '--authorization-server=[tell clients without a token where tokens are issued]:URL:'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    demo)
        specs=(
            '-o[where the page goes (squint-demo)]:FOLDER:_files'
            '--output=[where the page goes (squint-demo)]:FOLDER:_files'
            '--adb=[be a phone for adb instead; port 0\: a free one]:HOST\:PORT:'
            '--serial=[the phone'\''s serial number (SQUINTDEMO)]:NAME:'
            '--clock=[stop the phone'\''s clock N seconds after 1970]:N:'
            '--fault=[what goes wrong; see docs/demo-phone.md]:NAME\[=N\],...:'
            '--delay=[how long the phone'\''s programs take]:PROGRAM=MS,...:'
            '--link=[bytes a second that reach adb; else no limit]:N:'
            '--log=[a line per command\: its own time, status, bytes]:FILE:_files'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    doctor)
        specs=(
            '--json[print the findings as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    install)
        specs=(
            '--print[only print what would be changed]'
            '--uninstall[take the entry out again]'
            '--name=[what to call the entry (squint)]:NAME:'
            '--config=[the client'\''s file, if it lies elsewhere]:FILE:_files'
            '--command=[the program to start (this one)]:PATH:_files'
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(claude-desktop claude-code cursor vscode codex goose cline windsurf zed gemini)'
        ) ;;
    record)
        specs=(
            '--every=[how often to look\: 60s (the default), 5m, 1h]:TIME:'
            '--into=[where the archive is (the first of archive.roots)]:FOLDER:_files'
            '--device=[which device; see squint devices]:ID:'
            '--count=[end after N captures]:N:'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    archive)
        specs=(
            '--json[print the figures as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    scale)
        specs=(
            '-o[where to write the picture; - is standard output]:OUT:_files'
            '--output=[where to write the picture; - is standard output]:OUT:_files'
            '--max-dimension=[longest side of the result (default 1000)]:N:'
            '--budget-tokens=[instead\: the largest size that costs at most N tokens]:N:'
            '--profile=[whose tokens\: see squint tokens (default claude)]:NAME:(claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3)'
            '--format=[jpeg, webp, png or auto (default\: by OUT'\''s name)]:FORMAT:(jpeg webp png auto)'
            '--quality=[of JPEG (default 70) and WebP (default 60)]:N:'
            '--colours=[PNG with a palette of at most N colours]:N:'
            '--kernel=[catmull-rom (default), lanczos3 or area]:KERNEL:(catmull-rom lanczos3 area)'
            '--region=[only this part, in pixels of IN]:X,Y,W,H:'
            '--raw[keep the native size]'
            '--full-chroma[JPEG 4\:4\:4 instead of 4\:2\:0]'
            '--json[print what was made as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    diff)
        specs=(
            '--map[draw the changed 64x64 tiles]'
            '--json[print the answer as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    tokens)
        specs=(
            '--budget-tokens=[the largest size of that shape for N tokens]:N:'
            '--profile=[only this model profile]:NAME:(claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3)'
            '--json[print the table as JSON]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    completion)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '1:word:(bash fish zsh)'
        ) ;;
    man)
        specs=(
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        ) ;;
    devices)
        specs=(
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    screenshot)
        specs=(
            '--inline[false\: save a file]'
            '--max-dimension=[Longest side]:N:'
            '--raw[Native pixels]'
            '--size=[]:TEXT:(half full quarter thumb)'
            '--format=[]:TEXT:(jpeg webp png auto)'
            '--quality=[]:N:'
            '--budget-tokens=[Largest picture for N tokens]:N:'
            '--local-path=[File name]:TEXT:'
            '--screenshot-id=[Picture the point is in; the latest if omitted]:TEXT:'
            '--display-id=[Another display]:TEXT:'
            '--elements[List interactive elements]'
            '--app-name=[]:TEXT:'
            '--screen-name=[]:TEXT:'
            '--state=[]:TEXT:'
            '--enable-coordinate-caching[]'
            '--region.x=[]:N:'
            '--region.y=[]:N:'
            '--region.width=[]:N:'
            '--region.height=[]:N:'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    visual-snapshot)
        specs=(
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    dump)
        specs=(
            '--compact[false\: the whole tree]'
            '--interactive-only[]'
            '--filter-level=[]:TEXT:(strict moderate permissive none)'
            '--limit=[At most]:N:'
            '--offset=[Skip]:N:'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    find)
        specs=(
            '--limit=[At most]:N:'
            '--selector.text=[Whole label]:TEXT:'
            '--selector.text-contains=[]:TEXT:'
            '--selector.resource-id=[]:TEXT:'
            '--selector.class-name=[]:TEXT:'
            '--selector.content-desc=[]:TEXT:'
            '--selector.nearest-to=[Sort by this text]:TEXT:'
            '--selector.ignore-case[]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    tap)
        specs=(
            '--x=[Image pixels]:N:'
            '--y=[]:N:'
            '--element-index=[Index in the latest list]:N:'
            '--screenshot-id=[Picture the point is in; the latest if omitted]:TEXT:'
            '--device-space[x, y are device pixels]'
            '--number-of-taps=[]:N:'
            '--duration-ms=[Long press; swipe]:N:'
            '--apply-screenshot-scale[Convert by screenshotScaleX, Y]'
            '--screenshot-scale-x=[]:N:'
            '--screenshot-scale-y=[]:N:'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--selector.text=[Whole label]:TEXT:'
            '--selector.text-contains=[]:TEXT:'
            '--selector.resource-id=[]:TEXT:'
            '--selector.class-name=[]:TEXT:'
            '--selector.content-desc=[]:TEXT:'
            '--selector.nearest-to=[Sort by this text]:TEXT:'
            '--selector.ignore-case[]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    input)
        specs=(
            '--text=[To type or to wait for]:TEXT:'
            '--submit[Press enter afterwards]'
            '--element-index=[Index in the latest list]:N:'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--selector.text=[Whole label]:TEXT:'
            '--selector.text-contains=[]:TEXT:'
            '--selector.resource-id=[]:TEXT:'
            '--selector.class-name=[]:TEXT:'
            '--selector.content-desc=[]:TEXT:'
            '--selector.nearest-to=[Sort by this text]:TEXT:'
            '--selector.ignore-case[]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    scroll)
        specs=(
            '--direction=[Where to look next]:TEXT:(up down left right)'
            '--amount=[Of the side; 0.5]:N:'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--selector.text=[Whole label]:TEXT:'
            '--selector.text-contains=[]:TEXT:'
            '--selector.resource-id=[]:TEXT:'
            '--selector.class-name=[]:TEXT:'
            '--selector.content-desc=[]:TEXT:'
            '--selector.nearest-to=[Sort by this text]:TEXT:'
            '--selector.ignore-case[]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    swipe)
        specs=(
            '--duration-ms=[Long press; swipe]:N:'
            '--screenshot-id=[Picture the point is in; the latest if omitted]:TEXT:'
            '--device-space[x, y are device pixels]'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--from.x=[]:N:'
            '--from.y=[]:N:'
            '--to.x=[]:N:'
            '--to.y=[]:N:'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    key)
        specs=(
            '--name=[Key\: back, home, enter]:TEXT:'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    launch)
        specs=(
            '--package-name=[Or the label of the app]:TEXT:'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    stop)
        specs=(
            '--package-name=[Or the label of the app]:TEXT:'
            '--receipt=[Check of the effect\: fast, or full with a new list]:TEXT:(none fast full)'
            '--look[Show what changed]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    apps)
        specs=(
            '--limit=[At most]:N:'
            '--offset=[Skip]:N:'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    wait)
        specs=(
            '--text=[wait\: until this text appears]:TEXT:'
            '--stable-ms=[At rest this long]:N:'
            '--timeout-ms=[]:N:'
            '--selector.text=[Whole label]:TEXT:'
            '--selector.text-contains=[]:TEXT:'
            '--selector.resource-id=[]:TEXT:'
            '--selector.class-name=[]:TEXT:'
            '--selector.content-desc=[]:TEXT:'
            '--selector.nearest-to=[Sort by this text]:TEXT:'
            '--selector.ignore-case[]'
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    accessibility-check)
        specs=(
            '--device-id=[From the operation devices]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    list)
        specs=(
            '--start-date=[2026-01-15T10\:30, today, -7d, monday; none\: counts per month]:TEXT:'
            '--end-date=[A date includes that day]:TEXT:'
            '--max-count=[Default 20]:N:'
            '--sampling-strategy=[]:TEXT:(activity_transition interval coverage visual)'
            '--interval-seconds=[0\: all]:N:'
            '--monitor=[]:N:'
            '--root=[]:TEXT:'
            '--links[Also a link per shot]'
            '--cursor=["start"\: page through all]:TEXT:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    get)
        specs=(
            '--screenshot-ref=[From list_screenshots]:TEXT:'
            '--cell=[Of the last contact_sheet]:N:'
            '--full=[Whole picture for the person]:TEXT:(link inline none)'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    crop)
        specs=(
            '--screenshot-ref=[Or a live screenshotId]:TEXT:'
            '--cell=[Of the last contact_sheet]:N:'
            '--x=[]:N:'
            '--y=[]:N:'
            '--width=[]:N:'
            '--height=[]:N:'
            '--coordinate-units=[Default percent; image\: of the picture you saw]:TEXT:(percent normalized pixels image)'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    save)
        specs=(
            '--screenshot-ref=[]:TEXT:'
            '--output-path=[Name in the configured folder]:TEXT:'
            '--crop-x=[]:N:'
            '--crop-y=[]:N:'
            '--crop-width=[]:N:'
            '--crop-height=[]:N:'
            '--coordinate-units=[]:TEXT:(percent normalized pixels image)'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    sheet)
        specs=(
            '--start-date=[]:TEXT:'
            '--end-date=[]:TEXT:'
            '--refs=[Instead of dates]:A,B:'
            '--columns=[]:N:'
            '--budget-tokens=[Default 1500]:N:'
            '--max-count=[Default 24]:N:'
            '--monitor=[]:N:'
            '-o[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--output=[write the picture there\: .jpg, .webp or .png]:FILE:_files'
            '--json[print JSON, with the picture in base64]'
            '--table[print for a person, as on a terminal]'
            '-h[say more about this]'
            '--help[say more about this]'
            '*:file:_files'
        )
        specs+=($config) ;;
    esac
    _arguments -s $specs
}
if [[ $funcstack[1] == _squint ]]; then
    _squint "$@"
else
    compdef _squint squint
fi
