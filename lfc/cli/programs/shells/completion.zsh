#compdef lfc
# Completes the words of `lfc` in zsh. To have it in every shell:  lfc completion zsh > DIR/_lfc  for a DIR of $fpath
_lfc() {
    local line suffix
    local -a before part words_found described
    (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
    for line in "${(@f)$(_LFC_COMPLETE=zsh ${~words[1]} "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        part=("${(@ps:\t:)line}")
        case $part[1] in
            word)
                if [[ -n $part[3] ]]; then
                    described+=("${part[2]//:/\\:}:$part[3]")
                else
                    words_found+=("$part[2]")
                fi
                ;;
            folder)
                [[ $PREFIX == -*=* ]] && compset -P '*='
                _files -/
                ;;
            file)
                [[ $PREFIX == -*=* ]] && compset -P '*='
                if [[ -n $part[2] ]]; then
                    _files -g "${(j: :)${(@)${(s: :)part[2]}/#/*}}"
                else
                    _files
                fi
                ;;
        esac
    done
    (( $#described )) && _describe -V lfc described
    (( $#words_found )) && compadd -V lfc -a words_found
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _lfc "$@"
else
    compdef _lfc lfc
fi
