#compdef squint
# zsh completion for squint, written by: squint completion zsh
_squint() {
    local -a lines
    local line tab=$'\t'
    for line in "${(@f)$(squint completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ $line == FILES ]]; then
            _files
        elif [[ $line == *$tab* ]]; then
            lines+=("${${line%%$tab*}//:/\\:}:${line#*$tab}")
        elif [[ -n $line ]]; then
            lines+=("${line//:/\\:}")
        fi
    done
    _describe word lines
}
if [[ $funcstack[1] == _squint ]]; then
    _squint "$@"
else
    compdef _squint squint
fi
