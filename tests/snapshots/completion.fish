# fish completion for squint, written by: squint completion fish
function __squint_words
    set -l words (commandline -opc) (commandline -ct)
    for line in (squint completion words -- $words[2..] 2>/dev/null)
        if test "$line" = FILES
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c squint -f -a '(__squint_words)'
