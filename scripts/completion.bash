# Completion of errata for bash. Installed as share/bash-completion/completions/errata; else: source it.
# Commands and options stand here as in src/cli; a test holds this file to those tables.

_errata_contexts() {
    local file
    for file in "${XDG_CONFIG_HOME:-$HOME/.config}"/nats/context/*.json; do
        [[ -e $file ]] || continue
        file=${file##*/}
        printf '%s\n' "${file%.json}"
    done
}

# The words that may follow an option with a value; "files" and "folders" stand for what is on disk.
_errata_values() {
    case $1 in
        -c | --catalog | --sites | --new-records | --update | --cache | --unresolved | --diff | --creds | --nkey | --tlscert | --tlskey | --tlsca) printf 'files' ;;
        --log-level) printf 'debug info warn error off' ;;
        --log-format) printf 'text json' ;;
        --context) _errata_contexts ;;
        --fields)
            printf '%s ' id repo slug errorCode errorMessage messagePattern errorType errorClass httpStatus severity \
                filePath lineNumber sourceCode sourceCodeStart sourceCodeEnd githubUrl documentation \
                triggerScenarios commonSituations solutions exampleFix handlingStrategy validationCode typeGuard \
                tryCatchPattern preventionTips tags backgroundTag analyzedSha analyzedAt contentChangedAt \
                schemaVersion
            ;;
        -s | --server | --user | --password | --token | --jwt | --seed | --timeout | --inbox-prefix | --repo | \
            --release | --limit | --sha | --at | --tags | --date | --jobs | --prefix | \
            --queue | --kv | --max-request | --drain-timeout) printf 'none' ;;
        *) return 1 ;;
    esac
}

_errata_options() {
    local client='--help --json --remote --catalog --prefix'
    local connection='--server --user --password --token --creds --nkey --jwt --seed --tlscert --tlskey --tlsca
        --tlsfirst --timeout --inbox-prefix --context --no-context'
    case $1 in
        explain) printf '%s ' "$client" '--repo --release --limit --fields' "$connection" ;;
        get) printf '%s ' "$client" "$connection" ;;
        check) printf '%s ' '--help --json --sites --draft --catalog' ;;
        serve)
            printf '%s ' '--help --catalog --prefix --queue --kv --max-request --drain-timeout --log-level' \
                '--log-format' "$connection"
            ;;
        extract)
            printf '%s ' '--help --json --repo --sha --at --new-records --update --releases --tags --cache' \
                '--no-cache --unresolved --date --jobs --diff'
            ;;
        version) printf '%s ' '--help --json' ;;
        *) printf '%s ' '--help' ;;
    esac
}

_errata() {
    local commands='explain get check serve extract version help'
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' values word i
    COMPREPLY=()
    # bash splits --name=value at the sign
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == '--' ]]; then
            return
        elif [[ -z $command && " $commands " == *" $word "* ]]; then
            command=$word
        fi
    done
    if values=$(_errata_values "$previous"); then
        case $values in
            none) ;;
            files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
            *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current") ;;
        esac
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_errata_options "$command")" -- "$current")
    elif [[ -z $command || $command == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
    elif [[ $command == check || $command == extract ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -o filenames -F _errata errata
