#compdef squint
# zsh completion for squint, written by: squint completion zsh
_squint() {
    local -a lines
    lines=("${(@f)$(squint completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if (( ${lines[(Ie)FILES]} )); then
        _files
    fi
    lines=("${(@)${(@)lines:#(FILES|)}/$'\t'/:}")
    _describe word lines
}
if [[ $funcstack[1] == _squint ]]; then
    _squint "$@"
else
    compdef _squint squint
fi
