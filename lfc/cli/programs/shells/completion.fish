# Completes the words of `lfc` in fish. To have it in every shell:  lfc completion fish > ~/.config/fish/completions/lfc.fish
function __lfc_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l before $words[2..-1]
    test (count $words) -lt 2; and set before
    set -l option (string match -r -- '^-[^=]*=' "$token")
    set -l path (string replace -r -- '^-[^=]*=' '' "$token")
    for line in (_LFC_COMPLETE=fish $words[1] $before "$token" 2>/dev/null)
        set -l part (string split \t -- $line)
        switch $part[1]
            case word
                printf '%s\t%s\n' $part[2] $part[3]
            case folder
                for found in (__fish_complete_directories $path '')
                    echo "$option$found"
                end
            case file
                set -l suffixes (string escape --style=regex -- (string split -n ' ' -- $part[2]))
                set -l wanted '(?:/|'(string join '|' -- $suffixes)')(?:\t.*)?$'
                test -z "$part[2]"; and set wanted '.'
                for found in (string match -re -- $wanted (__fish_complete_path $path))
                    echo "$option$found"
                end
        end
    end
end

complete --no-files --command lfc --arguments '(__lfc_complete)'
