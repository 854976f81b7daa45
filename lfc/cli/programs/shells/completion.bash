# Completes the words of `lfc` in bash. To have it in every shell:  lfc completion bash > ~/.lfc.bash; echo '. ~/.lfc.bash' >> ~/.bashrc
_lfc_completion() {
    local program=${1/#\~/$HOME} current=${COMP_WORDS[COMP_CWORD]} kind value suffix found suffixes
    [[ $current == = ]] && current=
    COMPREPLY=()
    while IFS=$'\t' read -r kind value _; do
        case $kind in
            word)
                COMPREPLY+=("$value")
                ;;
            folder)
                compopt -o filenames 2>/dev/null
                while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -d -- "$current")
                ;;
            file)
                compopt -o filenames 2>/dev/null
                read -ra suffixes <<< "$value"
                [[ -n $value ]] || suffixes=("")
                for suffix in "${suffixes[@]}"; do
                    while IFS= read -r found; do
                        [[ -d $found ]] || COMPREPLY+=("$found")
                    done < <(compgen -f -X "!*$suffix" -- "$current")
                done
                while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -d -- "$current")
                ;;
        esac
    done < <(_LFC_COMPLETE=bash "$program" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *, ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -o nosort -F _lfc_completion lfc
