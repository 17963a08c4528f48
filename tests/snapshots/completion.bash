# bash completion for squint, written by: squint completion bash
_squint() {
    local cur=${COMP_WORDS[COMP_CWORD]} words
    words=$(squint completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    [[ $cur != = ]] || cur=
    if [[ ! $words ]]; then
        compopt +o default
    fi
    COMPREPLY=($(compgen -W "${words/FILES/}" -- "$cur"))
}
complete -o default -F _squint squint
