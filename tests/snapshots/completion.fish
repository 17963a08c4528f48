# fish completion for squint, written by: squint completion fish
complete -c squint -n __fish_use_subcommand -f
complete -c squint -n __fish_use_subcommand -a mcp -d 'serve a client over standard input and output (MCP)'
complete -c squint -n '__fish_seen_subcommand_from mcp' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a serve -d 'serve clients over HTTP (MCP)'
complete -c squint -n '__fish_seen_subcommand_from serve' -l listen -x -d 'where to listen (127.0.0.1:4477); port 0: any free one'
complete -c squint -n '__fish_seen_subcommand_from serve' -l unix -r -F -d 'listen on a Unix socket instead'
complete -c squint -n '__fish_seen_subcommand_from serve' -l token-file -r -F -d 'the token that clients must send; created if it is missing'
complete -c squint -n '__fish_seen_subcommand_from serve' -l any-address -d 'allow --listen to name an address other computers can reach'
complete -c squint -n '__fish_seen_subcommand_from serve' -l allow-host -x -d 'other names of this server in the Host header, with commas'
complete -c squint -n '__fish_seen_subcommand_from serve' -l allow-origin -x -d 'web pages that may use this server, with commas'
complete -c squint -n '__fish_seen_subcommand_from serve' -l authorization-server -x -d 'tell clients without a token where tokens are issued'
complete -c squint -n '__fish_seen_subcommand_from serve' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a demo -d 'watch an agent\'s loop on the built-in phone'
complete -c squint -n '__fish_seen_subcommand_from demo' -l output -s o -r -F -d 'where the page goes (squint-demo)'
complete -c squint -n '__fish_seen_subcommand_from demo' -l adb -x -d 'be a phone for adb instead; port 0: a free one'
complete -c squint -n '__fish_seen_subcommand_from demo' -l serial -x -d 'the phone\'s serial number (SQUINTDEMO)'
complete -c squint -n '__fish_seen_subcommand_from demo' -l clock -x -d 'stop the phone\'s clock N seconds after 1970'
complete -c squint -n '__fish_seen_subcommand_from demo' -l fault -x -d 'what goes wrong; see docs/demo-phone.md'
complete -c squint -n '__fish_seen_subcommand_from demo' -l delay -x -d 'how long the phone\'s programs take'
complete -c squint -n '__fish_seen_subcommand_from demo' -l link -x -d 'bytes a second that reach adb; else no limit'
complete -c squint -n '__fish_seen_subcommand_from demo' -l log -r -F -d 'a line per command: its own time, status, bytes'
complete -c squint -n '__fish_seen_subcommand_from demo' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a doctor -d 'say what works, what does not, and what to do'
complete -c squint -n '__fish_seen_subcommand_from doctor' -l json -d 'print the findings as JSON'
complete -c squint -n '__fish_seen_subcommand_from doctor' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a install -d 'make squint known to a client'
complete -c squint -n '__fish_seen_subcommand_from install' -a claude-desktop
complete -c squint -n '__fish_seen_subcommand_from install' -a claude-code
complete -c squint -n '__fish_seen_subcommand_from install' -a cursor
complete -c squint -n '__fish_seen_subcommand_from install' -a vscode
complete -c squint -n '__fish_seen_subcommand_from install' -a codex
complete -c squint -n '__fish_seen_subcommand_from install' -a goose
complete -c squint -n '__fish_seen_subcommand_from install' -a cline
complete -c squint -n '__fish_seen_subcommand_from install' -a windsurf
complete -c squint -n '__fish_seen_subcommand_from install' -a zed
complete -c squint -n '__fish_seen_subcommand_from install' -a gemini
complete -c squint -n '__fish_seen_subcommand_from install' -l print -d 'only print what would be changed'
complete -c squint -n '__fish_seen_subcommand_from install' -l uninstall -d 'take the entry out again'
complete -c squint -n '__fish_seen_subcommand_from install' -l name -x -d 'what to call the entry (squint)'
complete -c squint -n '__fish_seen_subcommand_from install' -l config -r -F -d 'the client\'s file, if it lies elsewhere'
complete -c squint -n '__fish_seen_subcommand_from install' -l command -r -F -d 'the program to start (this one)'
complete -c squint -n '__fish_seen_subcommand_from install' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a record -d 'keep what a device shows, as past screenshots'
complete -c squint -n '__fish_seen_subcommand_from record' -l every -x -d 'how often to look: 60s (the default), 5m, 1h'
complete -c squint -n '__fish_seen_subcommand_from record' -l into -r -F -d 'where the archive is (the first of archive.roots)'
complete -c squint -n '__fish_seen_subcommand_from record' -l device -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from record' -l count -x -d 'end after N captures'
complete -c squint -n '__fish_seen_subcommand_from record' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a archive -d 'count what the folders of past screenshots hold'
complete -c squint -n '__fish_seen_subcommand_from archive' -l json -d 'print the figures as JSON'
complete -c squint -n '__fish_seen_subcommand_from archive' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a scale -d 'make a picture small and legible, and say what it costs'
complete -c squint -n '__fish_seen_subcommand_from scale' -l output -s o -r -F -d 'where to write the picture; - is standard output'
complete -c squint -n '__fish_seen_subcommand_from scale' -l max-dimension -x -d 'longest side of the result (default 1000)'
complete -c squint -n '__fish_seen_subcommand_from scale' -l budget-tokens -x -d 'instead: the largest size that costs at most N tokens'
complete -c squint -n '__fish_seen_subcommand_from scale' -l profile -x -a 'claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3' -d 'whose tokens: see squint tokens (default claude)'
complete -c squint -n '__fish_seen_subcommand_from scale' -l format -x -a 'jpeg webp png auto' -d 'jpeg, webp, png or auto (default: by OUT\'s name)'
complete -c squint -n '__fish_seen_subcommand_from scale' -l quality -x -d 'of JPEG (default 70) and WebP (default 60)'
complete -c squint -n '__fish_seen_subcommand_from scale' -l colours -x -d 'PNG with a palette of at most N colours'
complete -c squint -n '__fish_seen_subcommand_from scale' -l kernel -x -a 'catmull-rom lanczos3 area' -d 'catmull-rom (default), lanczos3 or area'
complete -c squint -n '__fish_seen_subcommand_from scale' -l region -x -d 'only this part, in pixels of IN'
complete -c squint -n '__fish_seen_subcommand_from scale' -l raw -d 'keep the native size'
complete -c squint -n '__fish_seen_subcommand_from scale' -l full-chroma -d 'JPEG 4:4:4 instead of 4:2:0'
complete -c squint -n '__fish_seen_subcommand_from scale' -l json -d 'print what was made as JSON'
complete -c squint -n '__fish_seen_subcommand_from scale' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a diff -d 'say whether and where two pictures differ'
complete -c squint -n '__fish_seen_subcommand_from diff' -l map -d 'draw the changed 64x64 tiles'
complete -c squint -n '__fish_seen_subcommand_from diff' -l json -d 'print the answer as JSON'
complete -c squint -n '__fish_seen_subcommand_from diff' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a tokens -d 'say what a picture of that size costs each model'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l budget-tokens -x -d 'the largest size of that shape for N tokens'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l profile -x -a 'claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3' -d 'only this model profile'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l json -d 'print the table as JSON'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a completion -d 'print the script that lets a shell complete words'
complete -c squint -n '__fish_seen_subcommand_from completion' -a bash
complete -c squint -n '__fish_seen_subcommand_from completion' -a fish
complete -c squint -n '__fish_seen_subcommand_from completion' -a zsh
complete -c squint -n '__fish_seen_subcommand_from completion' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a man -d 'print the man page, in roff'
complete -c squint -n '__fish_seen_subcommand_from man' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a devices -d 'List devices'
complete -c squint -n '__fish_seen_subcommand_from devices' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from devices' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from devices' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from devices' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a screenshot -d 'Look at the screen'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l inline -d 'false: save a file'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l max-dimension -x -d 'Longest side'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l raw -d 'Native pixels'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l size -x -a 'half full quarter thumb'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l format -x -a 'jpeg webp png auto'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l quality -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l budget-tokens -x -d 'Largest picture for N tokens'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l local-path -x -d 'File name'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l screenshot-id -x -d 'Picture the point is in; the latest if omitted'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l display-id -x -d 'Another display'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l elements -d 'List interactive elements'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l app-name -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l screen-name -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l state -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l enable-coordinate-caching
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l region.x -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l region.y -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l region.width -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l region.height -x
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a visual-snapshot -d 'Look without elements'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a dump -d 'List elements'
complete -c squint -n '__fish_seen_subcommand_from dump' -l compact -d 'false: the whole tree'
complete -c squint -n '__fish_seen_subcommand_from dump' -l interactive-only
complete -c squint -n '__fish_seen_subcommand_from dump' -l filter-level -x -a 'strict moderate permissive none'
complete -c squint -n '__fish_seen_subcommand_from dump' -l limit -x -d 'At most'
complete -c squint -n '__fish_seen_subcommand_from dump' -l offset -x -d 'Skip'
complete -c squint -n '__fish_seen_subcommand_from dump' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from dump' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from dump' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from dump' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from dump' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a find -d 'Find elements'
complete -c squint -n '__fish_seen_subcommand_from find' -l limit -x -d 'At most'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.text -x -d 'Whole label'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.text-contains -x
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.resource-id -x
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.class-name -x
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.content-desc -x
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.nearest-to -x -d 'Sort by this text'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.ignore-case
complete -c squint -n '__fish_seen_subcommand_from find' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from find' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from find' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from find' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from find' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a tap -d 'Tap the screen'
complete -c squint -n '__fish_seen_subcommand_from tap' -l x -x -d 'Image pixels'
complete -c squint -n '__fish_seen_subcommand_from tap' -l y -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l element-index -x -d 'Index in the latest list'
complete -c squint -n '__fish_seen_subcommand_from tap' -l screenshot-id -x -d 'Picture the point is in; the latest if omitted'
complete -c squint -n '__fish_seen_subcommand_from tap' -l device-space -d 'x, y are device pixels'
complete -c squint -n '__fish_seen_subcommand_from tap' -l number-of-taps -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l duration-ms -x -d 'Long press; swipe'
complete -c squint -n '__fish_seen_subcommand_from tap' -l apply-screenshot-scale -d 'Convert by screenshotScaleX, Y'
complete -c squint -n '__fish_seen_subcommand_from tap' -l screenshot-scale-x -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l screenshot-scale-y -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from tap' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.text -x -d 'Whole label'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.text-contains -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.resource-id -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.class-name -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.content-desc -x
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.nearest-to -x -d 'Sort by this text'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.ignore-case
complete -c squint -n '__fish_seen_subcommand_from tap' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from tap' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from tap' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from tap' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from tap' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a input -d 'Type text'
complete -c squint -n '__fish_seen_subcommand_from input' -l text -x -d 'To type or to wait for'
complete -c squint -n '__fish_seen_subcommand_from input' -l submit -d 'Press enter afterwards'
complete -c squint -n '__fish_seen_subcommand_from input' -l element-index -x -d 'Index in the latest list'
complete -c squint -n '__fish_seen_subcommand_from input' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from input' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.text -x -d 'Whole label'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.text-contains -x
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.resource-id -x
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.class-name -x
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.content-desc -x
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.nearest-to -x -d 'Sort by this text'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.ignore-case
complete -c squint -n '__fish_seen_subcommand_from input' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from input' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from input' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from input' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from input' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a scroll -d 'Scroll'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l direction -x -a 'up down left right' -d 'Where to look next'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l amount -x -d 'Of the side; 0.5'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.text -x -d 'Whole label'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.text-contains -x
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.resource-id -x
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.class-name -x
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.content-desc -x
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.nearest-to -x -d 'Sort by this text'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.ignore-case
complete -c squint -n '__fish_seen_subcommand_from scroll' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a swipe -d 'Swipe'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l duration-ms -x -d 'Long press; swipe'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l screenshot-id -x -d 'Picture the point is in; the latest if omitted'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l device-space -d 'x, y are device pixels'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l from.x -x
complete -c squint -n '__fish_seen_subcommand_from swipe' -l from.y -x
complete -c squint -n '__fish_seen_subcommand_from swipe' -l to.x -x
complete -c squint -n '__fish_seen_subcommand_from swipe' -l to.y -x
complete -c squint -n '__fish_seen_subcommand_from swipe' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a key -d 'Press a key'
complete -c squint -n '__fish_seen_subcommand_from key' -l name -x -d 'Key: back, home, enter'
complete -c squint -n '__fish_seen_subcommand_from key' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from key' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from key' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from key' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from key' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from key' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from key' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a launch -d 'Launch an app'
complete -c squint -n '__fish_seen_subcommand_from launch' -l package-name -x -d 'Or the label of the app'
complete -c squint -n '__fish_seen_subcommand_from launch' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from launch' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from launch' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from launch' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from launch' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from launch' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from launch' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a stop -d 'Stop an app'
complete -c squint -n '__fish_seen_subcommand_from stop' -l package-name -x -d 'Or the label of the app'
complete -c squint -n '__fish_seen_subcommand_from stop' -l receipt -x -a 'none fast full' -d 'Check of the effect: fast, or full with a new list'
complete -c squint -n '__fish_seen_subcommand_from stop' -l look -d 'Show what changed'
complete -c squint -n '__fish_seen_subcommand_from stop' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from stop' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from stop' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from stop' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from stop' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a apps -d 'List apps'
complete -c squint -n '__fish_seen_subcommand_from apps' -l limit -x -d 'At most'
complete -c squint -n '__fish_seen_subcommand_from apps' -l offset -x -d 'Skip'
complete -c squint -n '__fish_seen_subcommand_from apps' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from apps' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from apps' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from apps' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from apps' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a wait -d 'Wait for the screen'
complete -c squint -n '__fish_seen_subcommand_from wait' -l text -x -d 'wait: until this text appears'
complete -c squint -n '__fish_seen_subcommand_from wait' -l stable-ms -x -d 'At rest this long'
complete -c squint -n '__fish_seen_subcommand_from wait' -l timeout-ms -x
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.text -x -d 'Whole label'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.text-contains -x
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.resource-id -x
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.class-name -x
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.content-desc -x
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.nearest-to -x -d 'Sort by this text'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.ignore-case
complete -c squint -n '__fish_seen_subcommand_from wait' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from wait' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from wait' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from wait' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from wait' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a accessibility-check -d 'Rate the elements'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l device-id -x -d 'From the operation devices'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a list -d 'List past screenshots'
complete -c squint -n '__fish_seen_subcommand_from list' -l start-date -x -d '2026-01-15T10:30, today, -7d, monday; none: counts per month'
complete -c squint -n '__fish_seen_subcommand_from list' -l end-date -x -d 'A date includes that day'
complete -c squint -n '__fish_seen_subcommand_from list' -l max-count -x -d 'Default 20'
complete -c squint -n '__fish_seen_subcommand_from list' -l sampling-strategy -x -a 'activity_transition interval coverage visual'
complete -c squint -n '__fish_seen_subcommand_from list' -l interval-seconds -x -d '0: all'
complete -c squint -n '__fish_seen_subcommand_from list' -l monitor -x
complete -c squint -n '__fish_seen_subcommand_from list' -l root -x
complete -c squint -n '__fish_seen_subcommand_from list' -l links -d 'Also a link per shot'
complete -c squint -n '__fish_seen_subcommand_from list' -l cursor -x -d '"start": page through all'
complete -c squint -n '__fish_seen_subcommand_from list' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from list' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from list' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from list' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a get -d 'Show a past screenshot'
complete -c squint -n '__fish_seen_subcommand_from get' -l screenshot-ref -x -d 'From list_screenshots'
complete -c squint -n '__fish_seen_subcommand_from get' -l cell -x -d 'Of the last contact_sheet'
complete -c squint -n '__fish_seen_subcommand_from get' -l full -x -a 'link inline none' -d 'Whole picture for the person'
complete -c squint -n '__fish_seen_subcommand_from get' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from get' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from get' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from get' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a crop -d 'Zoom into a past screenshot'
complete -c squint -n '__fish_seen_subcommand_from crop' -l screenshot-ref -x -d 'Or a live screenshotId'
complete -c squint -n '__fish_seen_subcommand_from crop' -l cell -x -d 'Of the last contact_sheet'
complete -c squint -n '__fish_seen_subcommand_from crop' -l x -x
complete -c squint -n '__fish_seen_subcommand_from crop' -l y -x
complete -c squint -n '__fish_seen_subcommand_from crop' -l width -x
complete -c squint -n '__fish_seen_subcommand_from crop' -l height -x
complete -c squint -n '__fish_seen_subcommand_from crop' -l coordinate-units -x -a 'percent normalized pixels image' -d 'Default percent; image: of the picture you saw'
complete -c squint -n '__fish_seen_subcommand_from crop' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from crop' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from crop' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from crop' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a save -d 'Save a past screenshot'
complete -c squint -n '__fish_seen_subcommand_from save' -l screenshot-ref -x
complete -c squint -n '__fish_seen_subcommand_from save' -l output-path -x -d 'Name in the configured folder'
complete -c squint -n '__fish_seen_subcommand_from save' -l crop-x -x
complete -c squint -n '__fish_seen_subcommand_from save' -l crop-y -x
complete -c squint -n '__fish_seen_subcommand_from save' -l crop-width -x
complete -c squint -n '__fish_seen_subcommand_from save' -l crop-height -x
complete -c squint -n '__fish_seen_subcommand_from save' -l coordinate-units -x -a 'percent normalized pixels image'
complete -c squint -n '__fish_seen_subcommand_from save' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from save' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from save' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from save' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a sheet -d 'A day in one picture'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l start-date -x
complete -c squint -n '__fish_seen_subcommand_from sheet' -l end-date -x
complete -c squint -n '__fish_seen_subcommand_from sheet' -l refs -x -d 'Instead of dates'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l columns -x
complete -c squint -n '__fish_seen_subcommand_from sheet' -l budget-tokens -x -d 'Default 1500'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l max-count -x -d 'Default 24'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l monitor -x
complete -c squint -n '__fish_seen_subcommand_from sheet' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l json -d 'print JSON, with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l table -d 'print for a person, as on a terminal'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l help -s h -d 'say more about this'
set -l __squint_with_config mcp serve demo doctor record archive devices screenshot visual-snapshot dump find tap input scroll swipe key launch stop apps wait accessibility-check list get crop save sheet
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l config -r -F -d 'the configuration file'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l visual-mode-packages -x -d 'apps whose element tree is never read: find gives a picture'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l auto-fallback-screenshot -d 'give a picture when find finds nothing'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l include-base64 -d 'false: such a picture is only a path, not an image'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l max-image-dimension -x -d 'pixels of the long side of a screenshot'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l ocr-enabled -d 'offer to find text in pictures'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l template-matching-enabled -d 'offer to find pictures in pictures'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l receipt -x -a 'none fast full' -d 'what a tap tells about its effect'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l profile -x -a 'claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3' -d 'how the model counts the tokens of a picture'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l tools -x -a 'ui split' -d 'one tool per operation instead of the one tool ui'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l read-only -d 'only look: no operation that acts'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l max-result-bytes -x -d 'bytes of a reply; larger pictures shrink or become links'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l timeout-ms -x -d 'milliseconds a device may take to answer'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l drain-ms -x -d 'milliseconds calls may go on when the client ends its input'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l demo-width -x -d 'pixels of the demo phone'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l demo-height -x -d 'pixels of the demo phone'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l demo-density -x -d 'pixels per dp of the demo phone'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l demo-seed -x -d 'the same seed and clock give the same screens'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l adb-server -x -d 'tcp:HOST:PORT of the adb server, if not the usual one; or off'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l adb-path -r -F -d 'the program adb, if not that of the Android SDK or PATH'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l start-adb -d 'start the adb server where it does not run'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l output-directory -r -F -d 'where screenshots are written'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l archive -r -F -d 'past screenshots: DIR or DIR=metadata, =labels, =thumbnail, =full'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l manictime -r -F -d 'ManicTime\'s data: its screenshots and ManicTimeReports.db'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l time-zone -x -d 'zone of times without an offset, as Europe/Zurich; none: the system\'s'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l activity -x -a 'auto manictime activitywatch csv visual none' -d 'who knows what was done when'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l activity-path -r -F -d 'database or CSV table (start,end,label) of activities'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l activity-watch-url -x -d 'ActivityWatch\'s server on this machine'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l save-directory -r -F -d 'where copies of past screenshots may be saved; none: nowhere'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_config"'' -l log-level -x -a 'error warning info debug' -d 'what is worth a line on standard error'
