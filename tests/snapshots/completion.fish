# fish completion for squint, written by: squint completion fish
complete -c squint -n __fish_use_subcommand -f
complete -c squint -n __fish_use_subcommand -a demo -d 'watch an agent use the built-in demo phone'
complete -c squint -n '__fish_seen_subcommand_from demo' -l output -s o -r -F -d 'folder for the page'
complete -c squint -n '__fish_seen_subcommand_from demo' -l reset -d 'reset the demo phone that other commands share, and exit'
complete -c squint -n '__fish_seen_subcommand_from demo' -l adb -x -d 'act as a phone that adb can reach; port 0: any free port'
complete -c squint -n '__fish_seen_subcommand_from demo' -l serial -x -d 'the phone\'s serial number'
complete -c squint -n '__fish_seen_subcommand_from demo' -l clock -x -d 'set the phone\'s clock to N seconds after 1970 and stop it'
complete -c squint -n '__fish_seen_subcommand_from demo' -l fault -x -d 'simulate this fault; see docs/demo-phone.md'
complete -c squint -n '__fish_seen_subcommand_from demo' -l delay -x -d 'delay these programs of the phone'
complete -c squint -n '__fish_seen_subcommand_from demo' -l link -x -d 'limit the speed of the connection to N bytes per second'
complete -c squint -n '__fish_seen_subcommand_from demo' -l run-programs -d 'run programs that are copied to the phone, on this machine'
complete -c squint -n '__fish_seen_subcommand_from demo' -l log -r -F -d 'write a line per command: its time, status and bytes'
complete -c squint -n '__fish_seen_subcommand_from demo' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from demo' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a install -d 'add squint to a client: Claude, Cursor, VS Code, ...'
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
complete -c squint -n '__fish_seen_subcommand_from install' -l print -d 'print the change, but do not make it'
complete -c squint -n '__fish_seen_subcommand_from install' -l uninstall -d 'remove the entry'
complete -c squint -n '__fish_seen_subcommand_from install' -l plain -d 'write an entry without flags, with the defaults of squint mcp'
complete -c squint -n '__fish_seen_subcommand_from install' -l name -x -d 'name of the entry'
complete -c squint -n '__fish_seen_subcommand_from install' -l config -r -F -d 'the client\'s configuration file, if it is elsewhere'
complete -c squint -n '__fish_seen_subcommand_from install' -l command -r -F -d 'program that the client starts'
complete -c squint -n '__fish_seen_subcommand_from install' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from install' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a doctor -d 'check what works, and say what to do about the rest'
complete -c squint -n '__fish_seen_subcommand_from doctor' -l json -d 'print the findings as JSON'
complete -c squint -n '__fish_seen_subcommand_from doctor' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from doctor' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a connect -d 'connect adb to a phone in the network, or list those'
complete -c squint -n '__fish_seen_subcommand_from connect' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from connect' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a pair -d 'pair adb with a phone that shows an address and a code'
complete -c squint -n '__fish_seen_subcommand_from pair' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from pair' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a mcp -d 'serve a client over standard input and output (MCP)'
complete -c squint -n '__fish_seen_subcommand_from mcp' -l replay -x -d 'answer calls from this journal, in their order, without a device'
complete -c squint -n '__fish_seen_subcommand_from mcp' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a serve -d 'serve clients over HTTP (MCP)'
complete -c squint -n '__fish_seen_subcommand_from serve' -l listen -x -d 'address to listen at; port 0: any free port'
complete -c squint -n '__fish_seen_subcommand_from serve' -l unix -r -F -d 'listen on a Unix socket instead'
complete -c squint -n '__fish_seen_subcommand_from serve' -l token-file -r -F -d 'file with the token that clients must send; created if missing'
complete -c squint -n '__fish_seen_subcommand_from serve' -l any-address -d 'allow --listen with an address that other computers can reach'
complete -c squint -n '__fish_seen_subcommand_from serve' -l allow-host -x -d 'further values of the Host header to accept, separated by commas'
complete -c squint -n '__fish_seen_subcommand_from serve' -l allow-origin -x -d 'origins of web pages to accept, separated by commas'
complete -c squint -n '__fish_seen_subcommand_from serve' -l authorization-server -x -d 'OAuth server to name to clients that send no token'
complete -c squint -n '__fish_seen_subcommand_from serve' -l public-url -x -d 'address of /mcp for clients, if a proxy passes on requests'
complete -c squint -n '__fish_seen_subcommand_from serve' -l max-connections -x -d 'open connections at most'
complete -c squint -n '__fish_seen_subcommand_from serve' -l max-sessions -x -d 'sessions at most'
complete -c squint -n '__fish_seen_subcommand_from serve' -l inspect -d 'offer the inspector, a page that shows what agents see and do'
complete -c squint -n '__fish_seen_subcommand_from serve' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a inspect -d 'see in a browser what agents see and do'
complete -c squint -n '__fish_seen_subcommand_from inspect' -l listen -x -d 'address of the server; port 0: start one at any free port'
complete -c squint -n '__fish_seen_subcommand_from inspect' -l token-file -r -F -d 'file with the token of the server; created if missing'
complete -c squint -n '__fish_seen_subcommand_from inspect' -l print-only -d 'only print the link, do not open a browser'
complete -c squint -n '__fish_seen_subcommand_from inspect' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a watch -d 'show a device live, on the terminal or in a file'
complete -c squint -n '__fish_seen_subcommand_from watch' -l output -s o -r -F -d 'replace this file instead: .jpg, .webp or .png; none: draw on the terminal'
complete -c squint -n '__fish_seen_subcommand_from watch' -l every -x -d 'interval between captures: 200ms, 2s, 1m'
complete -c squint -n '__fish_seen_subcommand_from watch' -l device -s s -x -d 'device to watch; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from watch' -l count -x -d 'stop after N captures; none: at Ctrl-C'
complete -c squint -n '__fish_seen_subcommand_from watch' -l json -d 'with -o, print JSON: a line for each picture or error, and one at the end'
complete -c squint -n '__fish_seen_subcommand_from watch' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a record -d 'save the screen of a device whenever it changes'
complete -c squint -n '__fish_seen_subcommand_from record' -l every -x -d 'time between captures: 30s, 5m, 1h'
complete -c squint -n '__fish_seen_subcommand_from record' -l into -r -F -d 'folder to save in'
complete -c squint -n '__fish_seen_subcommand_from record' -l device -s s -x -d 'device to record; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from record' -l count -x -d 'stop after N captures; none: at Ctrl-C'
complete -c squint -n '__fish_seen_subcommand_from record' -l json -d 'print JSON: a line for each file or error, and one at the end'
complete -c squint -n '__fish_seen_subcommand_from record' -l index -d 'also read the text of each picture, for squint search'
complete -c squint -n '__fish_seen_subcommand_from record' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a replay -d 'play recorded calls against a device'
complete -c squint -n '__fish_seen_subcommand_from replay' -l device -s s -x -d 'device to play it on; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from replay' -l export -x -a 'sh maestro' -d 'print it for a shell or for Maestro instead of playing it'
complete -c squint -n '__fish_seen_subcommand_from replay' -l json -d 'print the answer as JSON'
complete -c squint -n '__fish_seen_subcommand_from replay' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a archive -d 'count past screenshots, or read their text'
complete -c squint -n '__fish_seen_subcommand_from archive' -a stats
complete -c squint -n '__fish_seen_subcommand_from archive' -a index
complete -c squint -n '__fish_seen_subcommand_from archive' -l json -d 'print the figures as JSON'
complete -c squint -n '__fish_seen_subcommand_from archive' -l delete -d 'index: remove the texts of all pictures'
complete -c squint -n '__fish_seen_subcommand_from archive' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from archive' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a scale -d 'make a picture small and legible, and say what it costs'
complete -c squint -n '__fish_seen_subcommand_from scale' -l output -s o -r -F -d 'where to write the picture; - is standard output'
complete -c squint -n '__fish_seen_subcommand_from scale' -l max-dimension -x -d 'longest side of the result'
complete -c squint -n '__fish_seen_subcommand_from scale' -l budget-tokens -x -d 'or the largest size that costs at most N tokens'
complete -c squint -n '__fish_seen_subcommand_from scale' -l profile -x -a 'claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3' -d 'model whose tokens are counted'
complete -c squint -n '__fish_seen_subcommand_from scale' -l format -x -a 'jpeg webp png auto' -d 'picture format'
complete -c squint -n '__fish_seen_subcommand_from scale' -l quality -x -d 'quality of JPEG and WebP'
complete -c squint -n '__fish_seen_subcommand_from scale' -l colours -x -d 'PNG with a palette of at most N colours'
complete -c squint -n '__fish_seen_subcommand_from scale' -l kernel -x -a 'catmull-rom lanczos3 area' -d 'resampling filter'
complete -c squint -n '__fish_seen_subcommand_from scale' -l region -x -d 'only this part, in pixels of IN'
complete -c squint -n '__fish_seen_subcommand_from scale' -l raw -d 'keep the native size'
complete -c squint -n '__fish_seen_subcommand_from scale' -l full-chroma -d 'JPEG 4:4:4 instead of 4:2:0'
complete -c squint -n '__fish_seen_subcommand_from scale' -l json -d 'print the report as JSON'
complete -c squint -n '__fish_seen_subcommand_from scale' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a diff -d 'say whether and where two pictures differ'
complete -c squint -n '__fish_seen_subcommand_from diff' -l map -d 'draw the changed 64x64 tiles'
complete -c squint -n '__fish_seen_subcommand_from diff' -l json -d 'print the answer as JSON'
complete -c squint -n '__fish_seen_subcommand_from diff' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from diff' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a tokens -d 'say what a picture of that size costs each model'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l budget-tokens -x -d 'the largest size of that shape for N tokens'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l profile -x -a 'claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3' -d 'only this model profile; none: all'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l json -d 'print the table as JSON'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from tokens' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a ocr -d 'print the text of a picture'
complete -c squint -n '__fish_seen_subcommand_from ocr' -l region -x -d 'only this part, in pixels of FILE'
complete -c squint -n '__fish_seen_subcommand_from ocr' -l ocr-language -x -d 'Tesseract\'s name of the language'
complete -c squint -n '__fish_seen_subcommand_from ocr' -l json -d 'print words, lines and boxes as JSON'
complete -c squint -n '__fish_seen_subcommand_from ocr' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a find-text -d 'find a text in a picture'
complete -c squint -n '__fish_seen_subcommand_from find-text' -l region -x -d 'only this part, in pixels of FILE'
complete -c squint -n '__fish_seen_subcommand_from find-text' -l ocr-language -x -d 'Tesseract\'s name of the language'
complete -c squint -n '__fish_seen_subcommand_from find-text' -l first -d 'stop reading when the text is found; faster'
complete -c squint -n '__fish_seen_subcommand_from find-text' -l json -d 'print matches as JSON'
complete -c squint -n '__fish_seen_subcommand_from find-text' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a find-image -d 'find a small picture in a larger one'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l region -x -d 'only this part, in pixels of FILE'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l min-score -x -d 'lowest score of a hit'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l exact -d 'find only places with identical pixels'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l same-scale -d 'do not try other sizes; faster'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l any-colours -d 'also its outlines in other colours'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l json -d 'print hits as JSON'
complete -c squint -n '__fish_seen_subcommand_from find-image' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a help -d 'say more about a command'
complete -c squint -n '__fish_seen_subcommand_from help' -a demo
complete -c squint -n '__fish_seen_subcommand_from help' -a install
complete -c squint -n '__fish_seen_subcommand_from help' -a doctor
complete -c squint -n '__fish_seen_subcommand_from help' -a connect
complete -c squint -n '__fish_seen_subcommand_from help' -a pair
complete -c squint -n '__fish_seen_subcommand_from help' -a mcp
complete -c squint -n '__fish_seen_subcommand_from help' -a serve
complete -c squint -n '__fish_seen_subcommand_from help' -a inspect
complete -c squint -n '__fish_seen_subcommand_from help' -a watch
complete -c squint -n '__fish_seen_subcommand_from help' -a record
complete -c squint -n '__fish_seen_subcommand_from help' -a replay
complete -c squint -n '__fish_seen_subcommand_from help' -a archive
complete -c squint -n '__fish_seen_subcommand_from help' -a scale
complete -c squint -n '__fish_seen_subcommand_from help' -a diff
complete -c squint -n '__fish_seen_subcommand_from help' -a tokens
complete -c squint -n '__fish_seen_subcommand_from help' -a ocr
complete -c squint -n '__fish_seen_subcommand_from help' -a find-text
complete -c squint -n '__fish_seen_subcommand_from help' -a find-image
complete -c squint -n '__fish_seen_subcommand_from help' -a help
complete -c squint -n '__fish_seen_subcommand_from help' -a rtfm
complete -c squint -n '__fish_seen_subcommand_from help' -a man
complete -c squint -n '__fish_seen_subcommand_from help' -a config
complete -c squint -n '__fish_seen_subcommand_from help' -a completion
complete -c squint -n '__fish_seen_subcommand_from help' -a version
complete -c squint -n '__fish_seen_subcommand_from help' -a devices
complete -c squint -n '__fish_seen_subcommand_from help' -a screenshot
complete -c squint -n '__fish_seen_subcommand_from help' -a visual-snapshot
complete -c squint -n '__fish_seen_subcommand_from help' -a dump
complete -c squint -n '__fish_seen_subcommand_from help' -a find
complete -c squint -n '__fish_seen_subcommand_from help' -a visual-find-text
complete -c squint -n '__fish_seen_subcommand_from help' -a read
complete -c squint -n '__fish_seen_subcommand_from help' -a tap
complete -c squint -n '__fish_seen_subcommand_from help' -a input
complete -c squint -n '__fish_seen_subcommand_from help' -a scroll
complete -c squint -n '__fish_seen_subcommand_from help' -a swipe
complete -c squint -n '__fish_seen_subcommand_from help' -a key
complete -c squint -n '__fish_seen_subcommand_from help' -a launch
complete -c squint -n '__fish_seen_subcommand_from help' -a stop
complete -c squint -n '__fish_seen_subcommand_from help' -a apps
complete -c squint -n '__fish_seen_subcommand_from help' -a wait
complete -c squint -n '__fish_seen_subcommand_from help' -a accessibility-check
complete -c squint -n '__fish_seen_subcommand_from help' -a steps
complete -c squint -n '__fish_seen_subcommand_from help' -a pinch
complete -c squint -n '__fish_seen_subcommand_from help' -a open
complete -c squint -n '__fish_seen_subcommand_from help' -a permission
complete -c squint -n '__fish_seen_subcommand_from help' -a reset
complete -c squint -n '__fish_seen_subcommand_from help' -a rotate
complete -c squint -n '__fish_seen_subcommand_from help' -a appearance
complete -c squint -n '__fish_seen_subcommand_from help' -a location
complete -c squint -n '__fish_seen_subcommand_from help' -a clipboard
complete -c squint -n '__fish_seen_subcommand_from help' -a notifications
complete -c squint -n '__fish_seen_subcommand_from help' -a logs
complete -c squint -n '__fish_seen_subcommand_from help' -a info
complete -c squint -n '__fish_seen_subcommand_from help' -a wake
complete -c squint -n '__fish_seen_subcommand_from help' -a video
complete -c squint -n '__fish_seen_subcommand_from help' -a install-app
complete -c squint -n '__fish_seen_subcommand_from help' -a uninstall-app
complete -c squint -n '__fish_seen_subcommand_from help' -a visual-find-image
complete -c squint -n '__fish_seen_subcommand_from help' -a remember
complete -c squint -n '__fish_seen_subcommand_from help' -a forget
complete -c squint -n '__fish_seen_subcommand_from help' -a list
complete -c squint -n '__fish_seen_subcommand_from help' -a get
complete -c squint -n '__fish_seen_subcommand_from help' -a crop
complete -c squint -n '__fish_seen_subcommand_from help' -a save
complete -c squint -n '__fish_seen_subcommand_from help' -a sheet
complete -c squint -n '__fish_seen_subcommand_from help' -a search
complete -c squint -n '__fish_seen_subcommand_from help' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a rtfm -d 'print the manual that agents read'
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a devices
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a screenshot
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a visual-snapshot
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a dump
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a find
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a visual-find-text
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a read
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a tap
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a input
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a scroll
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a swipe
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a key
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a launch
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a stop
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a apps
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a wait
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a accessibility-check
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a steps
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a pinch
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a open
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a permission
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a reset
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a rotate
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a appearance
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a location
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a clipboard
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a notifications
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a logs
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a info
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a wake
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a video
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a install-app
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a uninstall-app
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a visual-find-image
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a remember
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a forget
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a list
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a get
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a crop
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a save
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a sheet
complete -c squint -n '__fish_seen_subcommand_from rtfm' -a search
complete -c squint -n '__fish_seen_subcommand_from rtfm' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a man -d 'print the man page, in roff'
complete -c squint -n '__fish_seen_subcommand_from man' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a config -d 'write, check or find the configuration file'
complete -c squint -n '__fish_seen_subcommand_from config' -a init
complete -c squint -n '__fish_seen_subcommand_from config' -a check
complete -c squint -n '__fish_seen_subcommand_from config' -a path
complete -c squint -n '__fish_seen_subcommand_from config' -a schema
complete -c squint -n '__fish_seen_subcommand_from config' -l config -r -F -d 'use this file'
complete -c squint -n '__fish_seen_subcommand_from config' -l json -d 'init, check, path: print JSON'
complete -c squint -n '__fish_seen_subcommand_from config' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a completion -d 'print the script that lets a shell complete words'
complete -c squint -n '__fish_seen_subcommand_from completion' -a bash
complete -c squint -n '__fish_seen_subcommand_from completion' -a fish
complete -c squint -n '__fish_seen_subcommand_from completion' -a zsh
complete -c squint -n '__fish_seen_subcommand_from completion' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a version -d 'print the version, and what it was built from'
complete -c squint -n '__fish_seen_subcommand_from version' -l verbose -d 'also print libraries, features and the processor code in use'
complete -c squint -n '__fish_seen_subcommand_from version' -l json -d 'print everything as JSON'
complete -c squint -n '__fish_seen_subcommand_from version' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a devices -d 'List devices'
complete -c squint -n '__fish_seen_subcommand_from devices' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from devices' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from devices' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a screenshot -d 'Look at the screen'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l inline -d 'give the picture; --no-inline: save it as a file in the output folder'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l no-inline -d 'give the picture; --no-inline: save it as a file in the output folder'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l max-dimension -x -d 'pixels of its longest side'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l raw -d 'the native size'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l size -x -a 'half full quarter thumb' -d 'half is 512 pixels, quarter 256, thumb 128, full the native size; as WebP'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l format -x -a 'jpeg webp png auto' -d 'picture format; that of -o if it says one'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l quality -x -d 'of JPEG and WebP'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l budget-tokens -x -d 'the largest size that costs at most N tokens'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l local-path -x -d 'save it under this name in the output folder'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l region -x -d 'only this part of the screen, in more detail'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l screenshot-id -x -d 'the picture that the region is in, such as s3; default: the latest'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l display-id -x -d 'another display of the device'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l elements -d 'also list the interactive elements'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l marks -d 'draw a numbered box around what can be touched'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l grid -d 'draw a grid whose cells tap takes'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l vision -d 'also what only the pixels show, marked or listed'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l app-name -x -d 'repeated in the answer'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l screen-name -x -d 'repeated in the answer'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l state -x -d 'repeated in the answer'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l enable-coordinate-caching -d 'also give a hash of the view\'s structure'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png; none: under a new name'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from screenshot' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a visual-snapshot -d 'Look without elements'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l output -s o -r -F -d 'write the picture also there: .jpg, .webp or .png; none: into the output folder'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from visual-snapshot' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a dump -d 'List elements'
complete -c squint -n '__fish_seen_subcommand_from dump' -l compact -d 'list what can be touched or has a label; --no-compact: the whole tree'
complete -c squint -n '__fish_seen_subcommand_from dump' -l no-compact -d 'list what can be touched or has a label; --no-compact: the whole tree'
complete -c squint -n '__fish_seen_subcommand_from dump' -l interactive-only -d 'leave out plain labels'
complete -c squint -n '__fish_seen_subcommand_from dump' -l filter-level -x -a 'strict moderate permissive none' -d 'list only what is tappable in this sense'
complete -c squint -n '__fish_seen_subcommand_from dump' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from dump' -l offset -x -d 'leave out the first ones'
complete -c squint -n '__fish_seen_subcommand_from dump' -l vision -d 'also list text, remembered pictures and shapes that only the pixels show'
complete -c squint -n '__fish_seen_subcommand_from dump' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from dump' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from dump' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from dump' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a find -d 'Find elements'
complete -c squint -n '__fish_seen_subcommand_from find' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from find' -l max-tier -x -a 'tree icon ocr image shape picture' -d 'how far to go: elements, icons by their ids, text in the pixels, remembered pictures, shapes, a picture'
complete -c squint -n '__fish_seen_subcommand_from find' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from find' -l output -s o -r -F -d 'write the screen there: .jpg, .webp or .png; none: only if nothing matches, into the output folder'
complete -c squint -n '__fish_seen_subcommand_from find' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from find' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from find' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from find' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from find' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from find' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a visual-find-text -d 'Find text in the pixels'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l text -x -d 'the text to find'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l region -x -d 'only this part of the screen'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from visual-find-text' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a read -d 'Read the screen\'s text'
complete -c squint -n '__fish_seen_subcommand_from read' -l region -x -d 'only this part of the screen'
complete -c squint -n '__fish_seen_subcommand_from read' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from read' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from read' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from read' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a tap -d 'Tap the screen'
complete -c squint -n '__fish_seen_subcommand_from tap' -l x -x -d 'pixels from the left edge of the latest picture'
complete -c squint -n '__fish_seen_subcommand_from tap' -l y -x -d 'pixels from its top edge'
complete -c squint -n '__fish_seen_subcommand_from tap' -l cell -x -d 'a cell of the grid that screenshot --grid draws'
complete -c squint -n '__fish_seen_subcommand_from tap' -l screenshot-id -x -d 'the picture that the point is in, such as s3; default: the latest'
complete -c squint -n '__fish_seen_subcommand_from tap' -l device-space -d 'the point is in pixels of the device'
complete -c squint -n '__fish_seen_subcommand_from tap' -l number-of-taps -x -d '2 is a double tap'
complete -c squint -n '__fish_seen_subcommand_from tap' -l duration-ms -x -d 'milliseconds to hold, for a long press'
complete -c squint -n '__fish_seen_subcommand_from tap' -l apply-screenshot-scale -d 'multiply the point by --screenshot-scale-x and -y'
complete -c squint -n '__fish_seen_subcommand_from tap' -l screenshot-scale-x -x -d 'factor for x'
complete -c squint -n '__fish_seen_subcommand_from tap' -l screenshot-scale-y -x -d 'factor for y'
complete -c squint -n '__fish_seen_subcommand_from tap' -l guard -x -a 'report strict' -d 'what to do if the screen around the point is not as in the picture: report, or strict, which refuses'
complete -c squint -n '__fish_seen_subcommand_from tap' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from tap' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from tap' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from tap' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from tap' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from tap' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from tap' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from tap' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from tap' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from tap' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a input -d 'Type text'
complete -c squint -n '__fish_seen_subcommand_from input' -l text -x -d 'what to type'
complete -c squint -n '__fish_seen_subcommand_from input' -l clear -d 'first delete what the field contains'
complete -c squint -n '__fish_seen_subcommand_from input' -l hide-keyboard -d 'afterwards hide the keyboard on the screen'
complete -c squint -n '__fish_seen_subcommand_from input' -l submit -d 'press enter afterwards'
complete -c squint -n '__fish_seen_subcommand_from input' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from input' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from input' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from input' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from input' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from input' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from input' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from input' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from input' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from input' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a scroll -d 'Scroll'
complete -c squint -n '__fish_seen_subcommand_from scroll' -a up
complete -c squint -n '__fish_seen_subcommand_from scroll' -a down
complete -c squint -n '__fish_seen_subcommand_from scroll' -a left
complete -c squint -n '__fish_seen_subcommand_from scroll' -a right
complete -c squint -n '__fish_seen_subcommand_from scroll' -l direction -x -a 'up down left right' -d 'where to look next'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l amount -x -d 'how far, as a share of the height or width'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from scroll' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a swipe -d 'Swipe'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l from -x -d 'where the finger goes down, in pixels of the latest picture'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l to -x -d 'where it goes up'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l duration-ms -x -d 'milliseconds it takes: short is a flick, long a drag'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l screenshot-id -x -d 'the picture that the points are in, such as s3; default: the latest'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l device-space -d 'the points are in pixels of the device'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from swipe' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a key -d 'Press a key'
complete -c squint -n '__fish_seen_subcommand_from key' -a back
complete -c squint -n '__fish_seen_subcommand_from key' -a home
complete -c squint -n '__fish_seen_subcommand_from key' -a enter
complete -c squint -n '__fish_seen_subcommand_from key' -a tab
complete -c squint -n '__fish_seen_subcommand_from key' -a delete
complete -c squint -n '__fish_seen_subcommand_from key' -a backspace
complete -c squint -n '__fish_seen_subcommand_from key' -a del
complete -c squint -n '__fish_seen_subcommand_from key' -a forward_delete
complete -c squint -n '__fish_seen_subcommand_from key' -a forward_del
complete -c squint -n '__fish_seen_subcommand_from key' -a escape
complete -c squint -n '__fish_seen_subcommand_from key' -a space
complete -c squint -n '__fish_seen_subcommand_from key' -a app_switch
complete -c squint -n '__fish_seen_subcommand_from key' -a recents
complete -c squint -n '__fish_seen_subcommand_from key' -a menu
complete -c squint -n '__fish_seen_subcommand_from key' -a search
complete -c squint -n '__fish_seen_subcommand_from key' -a power
complete -c squint -n '__fish_seen_subcommand_from key' -a wakeup
complete -c squint -n '__fish_seen_subcommand_from key' -a sleep
complete -c squint -n '__fish_seen_subcommand_from key' -a up
complete -c squint -n '__fish_seen_subcommand_from key' -a down
complete -c squint -n '__fish_seen_subcommand_from key' -a left
complete -c squint -n '__fish_seen_subcommand_from key' -a right
complete -c squint -n '__fish_seen_subcommand_from key' -a center
complete -c squint -n '__fish_seen_subcommand_from key' -a dpad_up
complete -c squint -n '__fish_seen_subcommand_from key' -a dpad_down
complete -c squint -n '__fish_seen_subcommand_from key' -a dpad_left
complete -c squint -n '__fish_seen_subcommand_from key' -a dpad_right
complete -c squint -n '__fish_seen_subcommand_from key' -a dpad_center
complete -c squint -n '__fish_seen_subcommand_from key' -a page_up
complete -c squint -n '__fish_seen_subcommand_from key' -a page_down
complete -c squint -n '__fish_seen_subcommand_from key' -a move_home
complete -c squint -n '__fish_seen_subcommand_from key' -a move_end
complete -c squint -n '__fish_seen_subcommand_from key' -a insert
complete -c squint -n '__fish_seen_subcommand_from key' -a volume_up
complete -c squint -n '__fish_seen_subcommand_from key' -a volume_down
complete -c squint -n '__fish_seen_subcommand_from key' -a volume_mute
complete -c squint -n '__fish_seen_subcommand_from key' -a mute
complete -c squint -n '__fish_seen_subcommand_from key' -a camera
complete -c squint -n '__fish_seen_subcommand_from key' -a call
complete -c squint -n '__fish_seen_subcommand_from key' -a endcall
complete -c squint -n '__fish_seen_subcommand_from key' -a notification
complete -c squint -n '__fish_seen_subcommand_from key' -a settings
complete -c squint -n '__fish_seen_subcommand_from key' -a assist
complete -c squint -n '__fish_seen_subcommand_from key' -a brightness_down
complete -c squint -n '__fish_seen_subcommand_from key' -a brightness_up
complete -c squint -n '__fish_seen_subcommand_from key' -a media_play_pause
complete -c squint -n '__fish_seen_subcommand_from key' -a media_stop
complete -c squint -n '__fish_seen_subcommand_from key' -a media_next
complete -c squint -n '__fish_seen_subcommand_from key' -a media_previous
complete -c squint -n '__fish_seen_subcommand_from key' -a media_rewind
complete -c squint -n '__fish_seen_subcommand_from key' -a media_fast_forward
complete -c squint -n '__fish_seen_subcommand_from key' -a media_play
complete -c squint -n '__fish_seen_subcommand_from key' -a media_pause
complete -c squint -n '__fish_seen_subcommand_from key' -a cut
complete -c squint -n '__fish_seen_subcommand_from key' -a copy
complete -c squint -n '__fish_seen_subcommand_from key' -a paste
complete -c squint -n '__fish_seen_subcommand_from key' -a all_apps
complete -c squint -n '__fish_seen_subcommand_from key' -a tv
complete -c squint -n '__fish_seen_subcommand_from key' -a guide
complete -c squint -n '__fish_seen_subcommand_from key' -a channel_up
complete -c squint -n '__fish_seen_subcommand_from key' -a channel_down
complete -c squint -n '__fish_seen_subcommand_from key' -l name -x -d 'which key: back, home, enter, or another that the device has'
complete -c squint -n '__fish_seen_subcommand_from key' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from key' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from key' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from key' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from key' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from key' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from key' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from key' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from key' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a launch -d 'Launch an app'
complete -c squint -n '__fish_seen_subcommand_from launch' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from launch' -l activity -x -d 'start this activity of the app instead of its first'
complete -c squint -n '__fish_seen_subcommand_from launch' -l extras -x -d 'values for the app: NAME=VALUE'
complete -c squint -n '__fish_seen_subcommand_from launch' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from launch' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from launch' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from launch' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from launch' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from launch' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from launch' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from launch' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from launch' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a stop -d 'Stop an app'
complete -c squint -n '__fish_seen_subcommand_from stop' -l app -x -d 'package, bundle id, or label if squint apps shows it'
complete -c squint -n '__fish_seen_subcommand_from stop' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from stop' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from stop' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from stop' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from stop' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from stop' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from stop' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from stop' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from stop' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a apps -d 'List apps'
complete -c squint -n '__fish_seen_subcommand_from apps' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from apps' -l offset -x -d 'leave out the first ones'
complete -c squint -n '__fish_seen_subcommand_from apps' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from apps' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from apps' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from apps' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a wait -d 'Wait for the screen'
complete -c squint -n '__fish_seen_subcommand_from wait' -l text -x -d 'wait until a label contains this'
complete -c squint -n '__fish_seen_subcommand_from wait' -l stable-ms -x -d 'milliseconds that the screen must stay the same'
complete -c squint -n '__fish_seen_subcommand_from wait' -l timeout-ms -x -d 'milliseconds to wait at most'
complete -c squint -n '__fish_seen_subcommand_from wait' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from wait' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from wait' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from wait' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from wait' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a accessibility-check -d 'Rate the elements'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from accessibility-check' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a steps -d 'Do several things'
complete -c squint -n '__fish_seen_subcommand_from steps' -l steps -x -d 'a JSON array of calls, each with its operation'
complete -c squint -n '__fish_seen_subcommand_from steps' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from steps' -l output -s o -r -F -d 'write the pictures of the steps there, and one of the end: .jpg, .webp or .png; none: the first under a new name, if a step took one'
complete -c squint -n '__fish_seen_subcommand_from steps' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from steps' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from steps' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from steps' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from steps' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a pinch -d 'Pinch with several fingers'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l x -x -d 'the middle of the fingers, in pixels of the latest picture'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l y -x -d 'pixels from its top edge'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l scale -x -d '2 moves the fingers apart to twice their distance, 0.5 together'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l degrees -x -d 'turn them clockwise'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l to -x -d 'where the middle of the fingers goes'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l fingers -x -d 'how many'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l duration-ms -x -d 'milliseconds it takes'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l screenshot-id -x -d 'the picture that the points are in, such as s3; default: the latest'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l device-space -d 'the points are in pixels of the device'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from pinch' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a open -d 'Open a URL'
complete -c squint -n '__fish_seen_subcommand_from open' -l url -x -d 'what to open, such as https://example.com/'
complete -c squint -n '__fish_seen_subcommand_from open' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from open' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from open' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from open' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from open' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from open' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from open' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from open' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from open' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from open' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a permission -d 'Change a permission'
complete -c squint -n '__fish_seen_subcommand_from permission' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from permission' -l permission -x -d 'camera, microphone, location, photos, ... or a full name'
complete -c squint -n '__fish_seen_subcommand_from permission' -l change -x -a 'grant revoke reset' -d 'what to do with it'
complete -c squint -n '__fish_seen_subcommand_from permission' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from permission' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from permission' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from permission' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from permission' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from permission' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from permission' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from permission' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from permission' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a reset -d 'Delete the data of an app'
complete -c squint -n '__fish_seen_subcommand_from reset' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from reset' -l confirm -d 'required: this cannot be undone'
complete -c squint -n '__fish_seen_subcommand_from reset' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from reset' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from reset' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from reset' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from reset' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from reset' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from reset' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from reset' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from reset' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a rotate -d 'Rotate the screen'
complete -c squint -n '__fish_seen_subcommand_from rotate' -a portrait
complete -c squint -n '__fish_seen_subcommand_from rotate' -a landscape
complete -c squint -n '__fish_seen_subcommand_from rotate' -a portraitReversed
complete -c squint -n '__fish_seen_subcommand_from rotate' -a landscapeReversed
complete -c squint -n '__fish_seen_subcommand_from rotate' -a auto
complete -c squint -n '__fish_seen_subcommand_from rotate' -l orientation -x -a 'portrait landscape portraitReversed landscapeReversed auto' -d 'where the top of the screen is'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from rotate' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a appearance -d 'Change the appearance'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l dark -x -a 'off on auto' -d 'dark mode'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l font-scale -x -d 'size of texts; 1 is normal'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l density -x -d 'dots per inch; 0 restores that of the device'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l locale -x -d 'language, such as de-DE'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from appearance' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a location -d 'Set the location'
complete -c squint -n '__fish_seen_subcommand_from location' -l latitude -x -d 'degrees north'
complete -c squint -n '__fish_seen_subcommand_from location' -l longitude -x -d 'degrees east'
complete -c squint -n '__fish_seen_subcommand_from location' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from location' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from location' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from location' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from location' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from location' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from location' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from location' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from location' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a clipboard -d 'Read or set the clipboard'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l text -x -d 'what to put there; without it the clipboard is read'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from clipboard' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a notifications -d 'List notifications'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l open -d 'open the shade on the screen instead'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from notifications' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a logs -d 'Read the log'
complete -c squint -n '__fish_seen_subcommand_from logs' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from logs' -l limit -x -d 'lines of the log'
complete -c squint -n '__fish_seen_subcommand_from logs' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from logs' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from logs' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from logs' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a info -d 'Describe the device'
complete -c squint -n '__fish_seen_subcommand_from info' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from info' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from info' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from info' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from info' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a wake -d 'Wake the screen'
complete -c squint -n '__fish_seen_subcommand_from wake' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from wake' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from wake' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from wake' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from wake' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from wake' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from wake' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from wake' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from wake' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a video -d 'Record a video'
complete -c squint -n '__fish_seen_subcommand_from video' -a start
complete -c squint -n '__fish_seen_subcommand_from video' -a stop
complete -c squint -n '__fish_seen_subcommand_from video' -l record -x -a 'start stop' -d 'start, or stop and save'
complete -c squint -n '__fish_seen_subcommand_from video' -l seconds -x -d 'longest duration'
complete -c squint -n '__fish_seen_subcommand_from video' -l local-path -x -d 'name of the file in the output folder'
complete -c squint -n '__fish_seen_subcommand_from video' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from video' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from video' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from video' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from video' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from video' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from video' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from video' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from video' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a install-app -d 'Install an app'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l paths -r -F -d 'APK files, or one .app folder, in the folder of tools.installFrom'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from install-app' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a uninstall-app -d 'Uninstall an app'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l app -x -d 'label, package or bundle id of the app; see squint apps'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l receipt -x -a 'none fast full' -d 'how the effect is checked; full also lists the elements'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l look -d 'also give a picture of what changed'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l output -s o -r -F -d 'look as with --look, and write the picture there: .jpg, .webp or .png; none: --look writes it under a new name'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from uninstall-app' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a visual-find-image -d 'Find a picture in the pixels'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l name -x -d 'a remembered picture'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l local-path -x -d 'a file in the output folder'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l region -x -d 'the part of a picture to look for'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l within -x -d 'look only in this part of the screen'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l min-score -x -d 'least score of a hit'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.text -x -d 'the whole label of the element'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.text-contains -x -d 'a part of its label'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.resource-id -x -d 'a part of its resource id'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.class-name -x -d 'a part of its class name'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.content-desc -x -d 'its whole description'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.nearest-to -x -d 'the nearest one to this text comes first'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l selector.ignore-case -d 'capitals do not matter in the selector'
complete -c squint -n '__fish_seen_subcommand_from visual-find-image' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a remember -d 'Keep a picture by name'
complete -c squint -n '__fish_seen_subcommand_from remember' -l name -x -d 'the name to keep it under'
complete -c squint -n '__fish_seen_subcommand_from remember' -l region -x -d 'the part of the picture to keep'
complete -c squint -n '__fish_seen_subcommand_from remember' -l device -s s -x -d 'which device; see squint devices'
complete -c squint -n '__fish_seen_subcommand_from remember' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from remember' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from remember' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a forget -d 'Remove a remembered picture'
complete -c squint -n '__fish_seen_subcommand_from forget' -l name -x -d 'the remembered picture to remove'
complete -c squint -n '__fish_seen_subcommand_from forget' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from forget' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from forget' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a list -d 'List past screenshots'
complete -c squint -n '__fish_seen_subcommand_from list' -l start-date -x -d 'first day or time: 2026-01-15, 2026-01-15T10:30, today, yesterday, monday, -7d; none: counts per month'
complete -c squint -n '__fish_seen_subcommand_from list' -l end-date -x -d 'last day, included, or time; none: the first day alone'
complete -c squint -n '__fish_seen_subcommand_from list' -l at -x -d 'those nearest to a moment, before and after it: "yesterday 10:00", 2026-01-15T10:30'
complete -c squint -n '__fish_seen_subcommand_from list' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from list' -l sampling-strategy -x -a 'activity_transition interval coverage visual' -d 'how to choose them'
complete -c squint -n '__fish_seen_subcommand_from list' -l interval-seconds -x -d 'at most one every N seconds; 0: all'
complete -c squint -n '__fish_seen_subcommand_from list' -l monitor -x -d 'of this monitor only'
complete -c squint -n '__fish_seen_subcommand_from list' -l root -x -d 'of this archive only'
complete -c squint -n '__fish_seen_subcommand_from list' -l cursor -x -d 'start lists all in order; then the cursor of the last page'
complete -c squint -n '__fish_seen_subcommand_from list' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from list' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from list' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a get -d 'Show a past screenshot'
complete -c squint -n '__fish_seen_subcommand_from get' -l ref -x -d 'which one; see squint list'
complete -c squint -n '__fish_seen_subcommand_from get' -l cell -x -d 'which one: a number in the latest squint sheet'
complete -c squint -n '__fish_seen_subcommand_from get' -l hit -x -d 'which one: a number in the latest squint search'
complete -c squint -n '__fish_seen_subcommand_from get' -l full -x -a 'link inline none' -d 'how the whole picture comes'
complete -c squint -n '__fish_seen_subcommand_from get' -l max-dimension -x -d 'longest side of the picture; none: the stored thumbnail, or 512'
complete -c squint -n '__fish_seen_subcommand_from get' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png; none: under a new name'
complete -c squint -n '__fish_seen_subcommand_from get' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from get' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from get' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from get' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from get' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a crop -d 'Zoom into a past screenshot'
complete -c squint -n '__fish_seen_subcommand_from crop' -l ref -x -d 'which one; see squint list'
complete -c squint -n '__fish_seen_subcommand_from crop' -l cell -x -d 'which one: a number in the latest squint sheet'
complete -c squint -n '__fish_seen_subcommand_from crop' -l hit -x -d 'which one: a number in the latest squint search'
complete -c squint -n '__fish_seen_subcommand_from crop' -l coordinate-units -x -a 'percent normalized pixels image' -d 'units of the part'
complete -c squint -n '__fish_seen_subcommand_from crop' -l region -x -d 'only this part, in the units of --coordinate-units'
complete -c squint -n '__fish_seen_subcommand_from crop' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png; none: under a new name'
complete -c squint -n '__fish_seen_subcommand_from crop' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from crop' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from crop' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from crop' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from crop' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a save -d 'Save a past screenshot'
complete -c squint -n '__fish_seen_subcommand_from save' -l ref -x -d 'which one; see squint list'
complete -c squint -n '__fish_seen_subcommand_from save' -l output -s o -x -d 'name in the folder of --save-directory, with .jpg, .jpeg, .webp or .png, or .jpg is added; none: its time'
complete -c squint -n '__fish_seen_subcommand_from save' -l coordinate-units -x -a 'percent normalized pixels image' -d 'units of the part'
complete -c squint -n '__fish_seen_subcommand_from save' -l region -x -d 'only this part, in the units of --coordinate-units'
complete -c squint -n '__fish_seen_subcommand_from save' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from save' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from save' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a sheet -d 'A day in one picture'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l start-date -x -d 'first day or time: 2026-01-15, today, yesterday, -7d'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l end-date -x -d 'last day, included, or time; none: the first day alone'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l refs -x -d 'these instead of dates; see squint list'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l query -x -d 'only those that show this text; see squint search'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l columns -x -d 'cells beside each other; none: what fits best'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l budget-tokens -x -d 'tokens that the picture may cost'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l limit -x -d 'show at most N'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l monitor -x -d 'of this monitor only'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l sampling-strategy -x -a 'activity_transition interval coverage visual' -d 'how to choose them'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l output -s o -r -F -d 'write the picture there: .jpg, .webp or .png; none: under a new name'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l no-show -d 'show the picture on the terminal; --no-show: never'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l json -d 'print JSON, errors too; without -o with the picture in base64'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from sheet' -l help -s h -d 'say more about this'
complete -c squint -n __fish_use_subcommand -a search -d 'Search past screenshots'
complete -c squint -n '__fish_seen_subcommand_from search' -l text -x -d 'words, or parts of them, that were on the screen; "a phrase", -without'
complete -c squint -n '__fish_seen_subcommand_from search' -l start-date -x -d 'first day or time, or a period: yesterday, -7d, last month, 2026-01; none: any time'
complete -c squint -n '__fish_seen_subcommand_from search' -l end-date -x -d 'last day, included, or time; none: the first day alone'
complete -c squint -n '__fish_seen_subcommand_from search' -l app -x -d 'only while this was in use: words of its name or title; also without text'
complete -c squint -n '__fish_seen_subcommand_from search' -l limit -x -d 'list at most N'
complete -c squint -n '__fish_seen_subcommand_from search' -l show -d 'also show the pictures as one sheet on the terminal'
complete -c squint -n '__fish_seen_subcommand_from search' -l json -d 'print JSON, errors too'
complete -c squint -n '__fish_seen_subcommand_from search' -l color -x -a 'auto always never' -d 'whether to print colours; auto: on a terminal'
complete -c squint -n '__fish_seen_subcommand_from search' -l help -s h -d 'say more about this'
set -l __squint_with_option
set __squint_with_option demo doctor connect pair mcp serve inspect watch record replay archive devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l config -r -F -d 'read the options from this file; none: see squint config path'
set __squint_with_option mcp serve inspect replay screenshot dump find tap input scroll swipe key launch stop wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l visual-mode-packages -x -d 'apps whose elements are never read; find returns a picture'
set __squint_with_option mcp serve inspect replay find steps
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l auto-fallback-screenshot -d 'return a picture if find finds nothing'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l no-auto-fallback-screenshot -d 'return a picture if find finds nothing'
set __squint_with_option mcp serve inspect replay visual-snapshot find steps
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l include-base64 -d 'give that picture, and that of visual-snapshot; false: only its path'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l no-include-base64 -d 'give that picture, and that of visual-snapshot; false: only its path'
set __squint_with_option demo doctor mcp serve inspect watch replay visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l max-dimension -x -d 'longest side of a screenshot, in pixels'
set __squint_with_option mcp serve inspect
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l format -x -a 'jpeg webp png auto' -d 'format of a screenshot, unless the call names one; auto: a palette PNG for interfaces, JPEG for photos'
set __squint_with_option doctor mcp serve inspect watch record replay archive devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l ocr-enabled -d 'offer operations that read text in pictures'
set __squint_with_option doctor mcp serve inspect watch record replay archive devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l ocr-language -x -d 'language of Tesseract\'s data: eng, chi_sim, eng+deu'
set __squint_with_option mcp serve inspect replay screenshot dump find tap input scroll swipe wait steps pinch visual-find-image remember forget
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l template-matching-enabled -d 'offer operations that find pictures in pictures'
set __squint_with_option mcp serve inspect replay steps
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l receipt -x -a 'none fast full' -d 'how thoroughly an action checks its effect'
set __squint_with_option mcp serve inspect replay tap input scroll swipe key launch stop steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l watch-ms -x -d 'how long a receipt watches an unchanged screen, in ms; at most half of limits.timeoutMs'
set __squint_with_option demo doctor mcp serve inspect replay screenshot visual-snapshot find tap input scroll swipe key launch stop steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app get crop sheet
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l profile -x -a 'claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3' -d 'how the model counts the tokens of a picture'
set __squint_with_option mcp serve inspect
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l tools -x -a 'ui split' -d 'one tool per operation instead of the one tool ui'
set __squint_with_option doctor mcp serve inspect replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l read-only -d 'offer only operations that change nothing'
set __squint_with_option mcp serve inspect replay steps open
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l open-schemes -x -d 'schemes of URLs that may be opened besides http and https'
set __squint_with_option mcp serve inspect replay steps install-app uninstall-app
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l install-from -r -F -d 'folder whose apps may be installed; allows uninstalling, too'
set __squint_with_option doctor mcp serve inspect replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l max-result-bytes -x -d 'maximum bytes of a reply; larger pictures are scaled down or linked'
set __squint_with_option doctor connect pair mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l timeout-ms -x -d 'time limit for a device to answer, in milliseconds'
set __squint_with_option mcp serve inspect
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l drain-ms -x -d 'how long running calls may continue after the end of standard input (serve: after SIGTERM), in milliseconds'
set __squint_with_option demo doctor mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l demo-width -x -d 'width of the demo phone, in pixels'
set __squint_with_option demo doctor mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l demo-height -x -d 'height of the demo phone, in pixels'
set __squint_with_option demo doctor mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l demo-density -x -d 'pixels per dp of the demo phone'
set __squint_with_option demo doctor mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l demo-seed -x -d 'the same seed and clock give the same screens'
set __squint_with_option demo doctor mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l demo-reaction -x -d 'apps of the demo phone react to touches after N ms'
set __squint_with_option demo doctor mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l demo-pressed -x -d 'the same, but show what is touched as pressed before'
set __squint_with_option doctor mcp serve inspect devices
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l device -s s -x -d 'device of calls that name none, if several are attached; see squint devices'
set __squint_with_option doctor connect pair mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l adb-server -x -d 'address of the adb server, tcp:HOST:PORT, if not the default; off: no Android devices'
set __squint_with_option doctor connect pair mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l adb-path -r -F -d 'path of adb, if it is not in the Android SDK or PATH'
set __squint_with_option doctor connect pair mcp serve inspect watch record replay devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l start-adb -d 'start the adb server if it is not running'
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l no-start-adb -d 'start the adb server if it is not running'
set __squint_with_option doctor mcp serve inspect watch record replay screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop wait steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l eye -x -a 'off auto on' -d 'run squint\'s own small program on phones, for faster screenshots; auto: only servers do'
set __squint_with_option doctor mcp serve inspect watch record replay screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop wait steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l emulator -x -a 'exact fast off' -d 'use the emulator\'s gRPC interface beside adb; fast: it also scales pictures'
set __squint_with_option doctor mcp serve inspect replay screenshot visual-snapshot find steps video visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l output-directory -r -F -d 'folder for screenshots'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l archive -r -F -d 'folders of past screenshots, each with what may leave it: DIR, or DIR=none, =metadata, =labels, =thumbnail, =full; the strictest entry that covers a file holds'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l manictime -r -F -d 'ManicTime\'s data: its screenshots and ManicTimeReports.db'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l time-zone -x -d 'time zone of times without an offset, such as Europe/Zurich; unset: that of the system'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l activity -x -a 'auto manictime activitywatch csv visual none' -d 'program that recorded the user\'s activities'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l activity-path -r -F -d 'database of activities, or a CSV file with start,end,label'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l activity-watch-url -x -d 'address of the ActivityWatch server'
set __squint_with_option mcp serve inspect save
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l save-directory -r -F -d 'folder for saved copies of past screenshots; unset: saving is disabled'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l exclude -x -d 'times whose past screenshots do not exist for the model: Sat-Sun, Mon-Fri 20:00-06:00, 2026-09-07'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l exclude-apps -x -d 'apps whose past screenshots do not exist for the model: words of their names; nor do those whose app is not known'
set __squint_with_option doctor mcp serve inspect record archive list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l exclude-titles -x -d 'the same by window titles: POSIX extended regular expressions, in any case'
set __squint_with_option mcp serve inspect
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l archive-index -d 'while serving, read the text of new past screenshots, for search_screenshots'
set __squint_with_option doctor mcp serve inspect watch record replay screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop wait steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app visual-find-image remember
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l redact-passwords -x -a 'focused known always' -d 'when the elements are read to hide password fields in pictures: while one is focused, always, or only where they are known'
set __squint_with_option doctor mcp serve inspect watch record replay archive devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l redact -x -d 'text to hide in pictures and replies: cards, emails, keys; needs ui.ocrEnabled'
set __squint_with_option doctor mcp serve inspect watch record replay archive devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l redact-patterns -x -d 'more such text: POSIX extended regular expressions'
set __squint_with_option doctor mcp serve inspect watch record replay archive screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop wait steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app visual-find-image remember list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l redact-regions -x -d 'parts of every picture to hide, in percent: 0 0 100 5'
set __squint_with_option doctor mcp serve inspect watch record replay archive screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop wait steps pinch open permission reset rotate appearance location clipboard notifications wake video install-app uninstall-app visual-find-image remember list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l redact-apps -x -d 'apps whose pictures are hidden: packages, or words of activities'
set __squint_with_option mcp serve inspect
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l journal -r -F -d 'record the calls of clients and their answers in this new file, or in a new file in this folder'
set __squint_with_option mcp serve inspect
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l journal-max-megabytes -x -d 'size at which a journal ends'
set __squint_with_option demo doctor connect pair mcp serve inspect watch record replay archive devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search
complete -c squint -n '__fish_seen_subcommand_from '"$__squint_with_option"'' -l log-level -x -a 'error warning info debug' -d 'messages on standard error: info adds what is served, debug each call'
