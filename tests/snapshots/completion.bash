# bash completion for squint, written by: squint completion bash
_squint() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local verb=${COMP_WORDS[1]} words= config=
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "demo install doctor connect pair mcp serve inspect watch record replay archive scale diff tokens ocr find-text find-image help rtfm man config completion version devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search --help --version" -- "$cur"))
        return
    fi
    case $verb in
    demo)
        case $prev in
        --output | -o) return ;;
        --adb) compopt +o default; return ;;
        --serial) compopt +o default; return ;;
        --clock) compopt +o default; return ;;
        --fault) compopt +o default; return ;;
        --delay) compopt +o default; return ;;
        --link) compopt +o default; return ;;
        --log) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--output -o --reset --adb --serial --clock --fault --delay --link --run-programs --log --color --help -h --config --max-dimension --profile --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --log-level " ;;
        esac ;;
    install)
        case $prev in
        --name) compopt +o default; return ;;
        --config) return ;;
        --command) return ;;
        *) words="claude-desktop claude-code cursor vscode codex goose cline windsurf zed gemini "
           [[ $cur != -* ]] || words="--print --uninstall --plain --name --config --command --json --help -h " ;;
        esac ;;
    doctor)
        case $prev in
        --color) words="auto always never" ;;
        *) config=yes words="--json --color --help -h --config --max-dimension --ocr-enabled --ocr-language --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --device -s --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    connect)
        case $prev in
        *) config=yes words="--json --help -h --config --timeout-ms --adb-server --adb-path --start-adb --no-start-adb --log-level " ;;
        esac ;;
    pair)
        case $prev in
        *) config=yes words="--json --help -h --config --timeout-ms --adb-server --adb-path --start-adb --no-start-adb --log-level " ;;
        esac ;;
    mcp)
        case $prev in
        --replay) compopt +o default; return ;;
        *) config=yes words="--replay --help -h --config --visual-mode-packages --auto-fallback-screenshot --no-auto-fallback-screenshot --include-base64 --no-include-base64 --max-dimension --format --ocr-enabled --ocr-language --template-matching-enabled --receipt --watch-ms --profile --tools --read-only --open-schemes --install-from --max-result-bytes --timeout-ms --drain-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --device -s --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --archive --manictime --time-zone --activity --activity-path --activity-watch-url --save-directory --exclude --exclude-apps --exclude-titles --archive-index --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --journal --journal-max-megabytes --log-level " ;;
        esac ;;
    serve)
        case $prev in
        --listen) compopt +o default; return ;;
        --unix) return ;;
        --token-file) return ;;
        --allow-host) compopt +o default; return ;;
        --allow-origin) compopt +o default; return ;;
        --authorization-server) compopt +o default; return ;;
        --public-url) compopt +o default; return ;;
        --max-connections) compopt +o default; return ;;
        --max-sessions) compopt +o default; return ;;
        *) config=yes words="--listen --unix --token-file --any-address --allow-host --allow-origin --authorization-server --public-url --max-connections --max-sessions --inspect --help -h --config --visual-mode-packages --auto-fallback-screenshot --no-auto-fallback-screenshot --include-base64 --no-include-base64 --max-dimension --format --ocr-enabled --ocr-language --template-matching-enabled --receipt --watch-ms --profile --tools --read-only --open-schemes --install-from --max-result-bytes --timeout-ms --drain-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --device -s --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --archive --manictime --time-zone --activity --activity-path --activity-watch-url --save-directory --exclude --exclude-apps --exclude-titles --archive-index --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --journal --journal-max-megabytes --log-level " ;;
        esac ;;
    inspect)
        case $prev in
        --listen) compopt +o default; return ;;
        --token-file) return ;;
        *) config=yes words="--listen --token-file --print-only --help -h --config --visual-mode-packages --auto-fallback-screenshot --no-auto-fallback-screenshot --include-base64 --no-include-base64 --max-dimension --format --ocr-enabled --ocr-language --template-matching-enabled --receipt --watch-ms --profile --tools --read-only --open-schemes --install-from --max-result-bytes --timeout-ms --drain-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --device -s --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --archive --manictime --time-zone --activity --activity-path --activity-watch-url --save-directory --exclude --exclude-apps --exclude-titles --archive-index --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --journal --journal-max-megabytes --log-level " ;;
        esac ;;
    watch)
        case $prev in
        --output | -o) return ;;
        --every) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --count) compopt +o default; return ;;
        *) config=yes words="--output -o --every --device -s --count --json --help -h --config --max-dimension --ocr-enabled --ocr-language --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    record)
        case $prev in
        --every) compopt +o default; return ;;
        --into) return ;;
        --device | -s) compopt +o default; return ;;
        --count) compopt +o default; return ;;
        *) config=yes words="--every --into --device -s --count --json --index --help -h --config --ocr-enabled --ocr-language --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    replay)
        case $prev in
        --device | -s) compopt +o default; return ;;
        --export) words="sh maestro" ;;
        *) config=yes words="--device -s --export --json --help -h --config --visual-mode-packages --auto-fallback-screenshot --no-auto-fallback-screenshot --include-base64 --no-include-base64 --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --receipt --watch-ms --profile --read-only --open-schemes --install-from --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    archive)
        case $prev in
        --color) words="auto always never" ;;
        *) config=yes words="stats index "
           [[ $cur != -* ]] || words="--json --delete --color --help -h --config --ocr-enabled --ocr-language --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    scale)
        case $prev in
        --output | -o) return ;;
        --max-dimension) compopt +o default; return ;;
        --budget-tokens) compopt +o default; return ;;
        --profile) words="claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3" ;;
        --format) words="jpeg webp png auto" ;;
        --quality) compopt +o default; return ;;
        --colours) compopt +o default; return ;;
        --kernel) words="catmull-rom lanczos3 area" ;;
        --region) compopt +o default; return ;;
        *) words="--output -o --max-dimension --budget-tokens --profile --format --quality --colours --kernel --region --raw --full-chroma --json --help -h " ;;
        esac ;;
    diff)
        case $prev in
        --color) words="auto always never" ;;
        *) words="--map --json --color --help -h " ;;
        esac ;;
    tokens)
        case $prev in
        --budget-tokens) compopt +o default; return ;;
        --profile) words="claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3" ;;
        --color) words="auto always never" ;;
        *) words="--budget-tokens --profile --json --color --help -h " ;;
        esac ;;
    ocr)
        case $prev in
        --region) compopt +o default; return ;;
        --ocr-language) compopt +o default; return ;;
        *) words="--region --ocr-language --json --help -h " ;;
        esac ;;
    find-text)
        case $prev in
        --region) compopt +o default; return ;;
        --ocr-language) compopt +o default; return ;;
        *) words="--region --ocr-language --first --json --help -h " ;;
        esac ;;
    find-image)
        case $prev in
        --region) compopt +o default; return ;;
        --min-score) compopt +o default; return ;;
        *) words="--region --min-score --exact --same-scale --any-colours --json --help -h " ;;
        esac ;;
    help)
        case $prev in
        *) words="demo install doctor connect pair mcp serve inspect watch record replay archive scale diff tokens ocr find-text find-image help rtfm man config completion version devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search "
           [[ $cur != -* ]] || words="--help -h " ;;
        esac ;;
    rtfm)
        case $prev in
        *) words="devices screenshot visual-snapshot dump find visual-find-text read tap input scroll swipe key launch stop apps wait accessibility-check steps pinch open permission reset rotate appearance location clipboard notifications logs info wake video install-app uninstall-app visual-find-image remember forget list get crop save sheet search "
           [[ $cur != -* ]] || words="--help -h " ;;
        esac ;;
    man)
        case $prev in
        *) words="--help -h " ;;
        esac ;;
    config)
        case $prev in
        --config) return ;;
        *) words="init check path schema "
           [[ $cur != -* ]] || words="--config --json --help -h " ;;
        esac ;;
    completion)
        case $prev in
        *) words="bash fish zsh "
           [[ $cur != -* ]] || words="--help -h " ;;
        esac ;;
    version)
        case $prev in
        *) words="--verbose --json --help -h " ;;
        esac ;;
    devices)
        case $prev in
        --color) words="auto always never" ;;
        *) config=yes words="--json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --device -s --adb-server --adb-path --start-adb --no-start-adb --redact --redact-patterns --log-level " ;;
        esac ;;
    screenshot)
        case $prev in
        --max-dimension) compopt +o default; return ;;
        --size) words="half full quarter thumb" ;;
        --format) words="jpeg webp png auto" ;;
        --quality) compopt +o default; return ;;
        --budget-tokens) compopt +o default; return ;;
        --local-path) compopt +o default; return ;;
        --region) compopt +o default; return ;;
        --screenshot-id) compopt +o default; return ;;
        --display-id) compopt +o default; return ;;
        --app-name) compopt +o default; return ;;
        --screen-name) compopt +o default; return ;;
        --state) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--inline --no-inline --max-dimension --raw --size --format --quality --budget-tokens --local-path --region --screenshot-id --display-id --elements --marks --grid --vision --app-name --screen-name --state --enable-coordinate-caching --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --ocr-enabled --ocr-language --template-matching-enabled --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    visual-snapshot)
        case $prev in
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--device -s --output -o --show --no-show --json --color --help -h --config --include-base64 --no-include-base64 --max-dimension --ocr-enabled --ocr-language --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    dump)
        case $prev in
        --filter-level) words="strict moderate permissive none" ;;
        --limit) compopt +o default; return ;;
        --offset) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--compact --no-compact --interactive-only --filter-level --limit --offset --vision --device -s --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    find)
        case $prev in
        --limit) compopt +o default; return ;;
        --max-tier) words="tree icon ocr image shape picture" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="--limit --max-tier --device -s --output -o --show --no-show --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --visual-mode-packages --auto-fallback-screenshot --no-auto-fallback-screenshot --include-base64 --no-include-base64 --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    visual-find-text)
        case $prev in
        --text) compopt +o default; return ;;
        --region) compopt +o default; return ;;
        --limit) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--text --region --limit --device -s --json --color --help -h --config --max-dimension --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    read)
        case $prev in
        --region) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--region --device -s --json --color --help -h --config --max-dimension --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    tap)
        case $prev in
        --x) compopt +o default; return ;;
        --y) compopt +o default; return ;;
        --cell) compopt +o default; return ;;
        --screenshot-id) compopt +o default; return ;;
        --number-of-taps) compopt +o default; return ;;
        --duration-ms) compopt +o default; return ;;
        --screenshot-scale-x) compopt +o default; return ;;
        --screenshot-scale-y) compopt +o default; return ;;
        --guard) words="report strict" ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="--x --y --cell --screenshot-id --device-space --number-of-taps --duration-ms --apply-screenshot-scale --screenshot-scale-x --screenshot-scale-y --guard --receipt --look --device -s --output -o --show --no-show --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    input)
        case $prev in
        --text) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="--text --clear --hide-keyboard --submit --receipt --look --device -s --output -o --show --no-show --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    scroll)
        case $prev in
        --direction) words="up down left right" ;;
        --amount) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="up down left right "
           [[ $cur != -* ]] || words="--direction --amount --receipt --look --device -s --output -o --show --no-show --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    swipe)
        case $prev in
        --from) compopt +o default; return ;;
        --to) compopt +o default; return ;;
        --duration-ms) compopt +o default; return ;;
        --screenshot-id) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--from --to --duration-ms --screenshot-id --device-space --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    key)
        case $prev in
        --name) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="back home enter tab delete backspace del forward_delete forward_del escape space app_switch recents menu search power wakeup sleep up down left right center dpad_up dpad_down dpad_left dpad_right dpad_center page_up page_down move_home move_end insert volume_up volume_down volume_mute mute camera call endcall notification settings assist brightness_down brightness_up media_play_pause media_stop media_next media_previous media_rewind media_fast_forward media_play media_pause cut copy paste all_apps tv guide channel_up channel_down "
           [[ $cur != -* ]] || words="--name --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    launch)
        case $prev in
        --app) compopt +o default; return ;;
        --activity) compopt +o default; return ;;
        --extras) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --activity --extras --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    stop)
        case $prev in
        --app) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    apps)
        case $prev in
        --limit) compopt +o default; return ;;
        --offset) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--limit --offset --device -s --json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --redact --redact-patterns --log-level " ;;
        esac ;;
    wait)
        case $prev in
        --text) compopt +o default; return ;;
        --stable-ms) compopt +o default; return ;;
        --timeout-ms) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="--text --stable-ms --timeout-ms --device -s --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --read-only --max-result-bytes --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    accessibility-check)
        case $prev in
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--device -s --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --redact --redact-patterns --log-level " ;;
        esac ;;
    steps)
        case $prev in
        --steps) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--steps --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --auto-fallback-screenshot --no-auto-fallback-screenshot --include-base64 --no-include-base64 --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --receipt --watch-ms --profile --read-only --open-schemes --install-from --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    pinch)
        case $prev in
        --x) compopt +o default; return ;;
        --y) compopt +o default; return ;;
        --scale) compopt +o default; return ;;
        --degrees) compopt +o default; return ;;
        --to) compopt +o default; return ;;
        --fingers) compopt +o default; return ;;
        --duration-ms) compopt +o default; return ;;
        --screenshot-id) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="--x --y --scale --degrees --to --fingers --duration-ms --screenshot-id --device-space --receipt --look --device -s --output -o --show --no-show --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    open)
        case $prev in
        --url) compopt +o default; return ;;
        --app) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--url --app --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --open-schemes --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    permission)
        case $prev in
        --app) compopt +o default; return ;;
        --permission) compopt +o default; return ;;
        --change) words="grant revoke reset" ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --permission --change --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    reset)
        case $prev in
        --app) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --confirm --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    rotate)
        case $prev in
        --orientation) words="portrait landscape portraitReversed landscapeReversed auto" ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="portrait landscape portraitReversed landscapeReversed auto "
           [[ $cur != -* ]] || words="--orientation --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    appearance)
        case $prev in
        --dark) words="off on auto" ;;
        --font-scale) compopt +o default; return ;;
        --density) compopt +o default; return ;;
        --locale) compopt +o default; return ;;
        --app) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--dark --font-scale --density --locale --app --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    location)
        case $prev in
        --latitude) compopt +o default; return ;;
        --longitude) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--latitude --longitude --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    clipboard)
        case $prev in
        --text) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--text --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    notifications)
        case $prev in
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--open --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    logs)
        case $prev in
        --app) compopt +o default; return ;;
        --limit) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --limit --device -s --json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --redact --redact-patterns --log-level " ;;
        esac ;;
    info)
        case $prev in
        --app) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --device -s --json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --redact --redact-patterns --log-level " ;;
        esac ;;
    wake)
        case $prev in
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    video)
        case $prev in
        --record) words="start stop" ;;
        --seconds) compopt +o default; return ;;
        --local-path) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="start stop "
           [[ $cur != -* ]] || words="--record --seconds --local-path --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    install-app)
        case $prev in
        --paths) return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--paths --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --install-from --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    uninstall-app)
        case $prev in
        --app) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --device | -s) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--app --receipt --look --device -s --output -o --show --no-show --json --color --help -h --config --visual-mode-packages --max-dimension --ocr-enabled --ocr-language --watch-ms --profile --read-only --install-from --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    visual-find-image)
        case $prev in
        --name) compopt +o default; return ;;
        --local-path) compopt +o default; return ;;
        --region) compopt +o default; return ;;
        --within) compopt +o default; return ;;
        --min-score) compopt +o default; return ;;
        --limit) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        --selector.text) compopt +o default; return ;;
        --selector.text-contains) compopt +o default; return ;;
        --selector.resource-id) compopt +o default; return ;;
        --selector.class-name) compopt +o default; return ;;
        --selector.content-desc) compopt +o default; return ;;
        --selector.nearest-to) compopt +o default; return ;;
        *) config=yes words="--name --local-path --region --within --min-score --limit --device -s --json --color --selector.text --selector.text-contains --selector.resource-id --selector.class-name --selector.content-desc --selector.nearest-to --selector.ignore-case --help -h --config --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    remember)
        case $prev in
        --name) compopt +o default; return ;;
        --region) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--name --region --device -s --json --color --help -h --config --max-dimension --ocr-enabled --ocr-language --template-matching-enabled --read-only --max-result-bytes --timeout-ms --demo-width --demo-height --demo-density --demo-seed --demo-reaction --demo-pressed --adb-server --adb-path --start-adb --no-start-adb --eye --emulator --output-directory --redact-passwords --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    forget)
        case $prev in
        --name) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--name --json --color --help -h --config --ocr-enabled --ocr-language --template-matching-enabled --read-only --max-result-bytes --timeout-ms --redact --redact-patterns --log-level " ;;
        esac ;;
    list)
        case $prev in
        --start-date) compopt +o default; return ;;
        --end-date) compopt +o default; return ;;
        --at) compopt +o default; return ;;
        --limit) compopt +o default; return ;;
        --sampling-strategy) words="activity_transition interval coverage visual" ;;
        --interval-seconds) compopt +o default; return ;;
        --monitor) compopt +o default; return ;;
        --root) compopt +o default; return ;;
        --cursor) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--start-date --end-date --at --limit --sampling-strategy --interval-seconds --monitor --root --cursor --json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    get)
        case $prev in
        --ref) compopt +o default; return ;;
        --cell) compopt +o default; return ;;
        --hit) compopt +o default; return ;;
        --full) words="link inline none" ;;
        --max-dimension) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--ref --cell --hit --full --max-dimension --output -o --show --no-show --json --color --help -h --config --ocr-enabled --ocr-language --profile --read-only --max-result-bytes --timeout-ms --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    crop)
        case $prev in
        --ref) compopt +o default; return ;;
        --cell) compopt +o default; return ;;
        --hit) compopt +o default; return ;;
        --coordinate-units) words="percent normalized pixels image" ;;
        --region) compopt +o default; return ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--ref --cell --hit --coordinate-units --region --output -o --show --no-show --json --color --help -h --config --ocr-enabled --ocr-language --profile --read-only --max-result-bytes --timeout-ms --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    save)
        case $prev in
        --ref) compopt +o default; return ;;
        --output | -o) compopt +o default; return ;;
        --coordinate-units) words="percent normalized pixels image" ;;
        --region) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--ref --output -o --coordinate-units --region --json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --archive --manictime --time-zone --activity --activity-path --activity-watch-url --save-directory --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    sheet)
        case $prev in
        --start-date) compopt +o default; return ;;
        --end-date) compopt +o default; return ;;
        --refs) compopt +o default; return ;;
        --query) compopt +o default; return ;;
        --columns) compopt +o default; return ;;
        --budget-tokens) compopt +o default; return ;;
        --limit) compopt +o default; return ;;
        --monitor) compopt +o default; return ;;
        --sampling-strategy) words="activity_transition interval coverage visual" ;;
        --output | -o) return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--start-date --end-date --refs --query --columns --budget-tokens --limit --monitor --sampling-strategy --output -o --show --no-show --json --color --help -h --config --ocr-enabled --ocr-language --profile --read-only --max-result-bytes --timeout-ms --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    search)
        case $prev in
        --text) compopt +o default; return ;;
        --start-date) compopt +o default; return ;;
        --end-date) compopt +o default; return ;;
        --app) compopt +o default; return ;;
        --limit) compopt +o default; return ;;
        --color) words="auto always never" ;;
        *) config=yes words="--text --start-date --end-date --app --limit --show --json --color --help -h --config --ocr-enabled --ocr-language --read-only --max-result-bytes --timeout-ms --archive --manictime --time-zone --activity --activity-path --activity-watch-url --exclude --exclude-apps --exclude-titles --redact --redact-patterns --redact-regions --redact-apps --log-level " ;;
        esac ;;
    esac
    if [[ $config ]]; then
        case $prev in
        --config) return ;;
        --visual-mode-packages) compopt +o default; return ;;
        --max-dimension) compopt +o default; return ;;
        --format) words="jpeg webp png auto" ;;
        --ocr-language) compopt +o default; return ;;
        --receipt) words="none fast full" ;;
        --watch-ms) compopt +o default; return ;;
        --profile) words="claude claude-hires gpt-4o gpt-5 gpt-o3 gpt-4o-mini computer-use gpt-patch-mini gpt-patch-nano gpt-5-mini gpt-5-nano o4-mini gpt-patch gpt-5.4 gpt-5.5 gemini-2 gemini-3" ;;
        --tools) words="ui split" ;;
        --open-schemes) compopt +o default; return ;;
        --install-from) return ;;
        --max-result-bytes) compopt +o default; return ;;
        --timeout-ms) compopt +o default; return ;;
        --drain-ms) compopt +o default; return ;;
        --demo-width) compopt +o default; return ;;
        --demo-height) compopt +o default; return ;;
        --demo-density) compopt +o default; return ;;
        --demo-seed) compopt +o default; return ;;
        --demo-reaction) compopt +o default; return ;;
        --demo-pressed) compopt +o default; return ;;
        --device | -s) compopt +o default; return ;;
        --adb-server) compopt +o default; return ;;
        --adb-path) return ;;
        --eye) words="off auto on" ;;
        --emulator) words="exact fast off" ;;
        --output-directory) return ;;
        --archive) return ;;
        --manictime) return ;;
        --time-zone) compopt +o default; return ;;
        --activity) words="auto manictime activitywatch csv visual none" ;;
        --activity-path) return ;;
        --activity-watch-url) compopt +o default; return ;;
        --save-directory) return ;;
        --exclude) compopt +o default; return ;;
        --exclude-apps) compopt +o default; return ;;
        --exclude-titles) compopt +o default; return ;;
        --redact-passwords) words="focused known always" ;;
        --redact) compopt +o default; return ;;
        --redact-patterns) compopt +o default; return ;;
        --redact-regions) compopt +o default; return ;;
        --redact-apps) compopt +o default; return ;;
        --journal) return ;;
        --journal-max-megabytes) compopt +o default; return ;;
        --log-level) words="error warning info debug" ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _squint squint
