# bash completion for squint, written by: squint completion bash
_squint() {
    local words=() last= word line cur
    # Bash makes several words of "192.0.2.7:5555", but squint needs one.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ( $word == : || $last == : ) ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        last=$word
    done
    cur=${words[${#words[@]}-1]}
    [[ $cur != = ]] || cur=
    COMPREPLY=()
    # Bash 3.2, that of macOS, cannot leave out files.
    compopt +o default 2>/dev/null
    while IFS= read -r line; do
        word=${line%%$'\t'*}
        if [[ $word == FILES ]]; then
            compopt -o default 2>/dev/null
        elif [[ $word == "$cur"* ]]; then
            printf -v word %q "$word"
            # Bash inserts what follows the last colon.
            [[ $cur != *:* ]] || word=${word#"${cur%"${cur##*:}"}"}
            COMPREPLY+=("$word")
        fi
    done < <(squint completion words -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _squint squint
