# Completes oresp-text in fish. Made from the option table.
complete -c oresp-text -s q -l quiet -d 'Tell errors only'
complete -c oresp-text -l no-quiet -d 'take --quiet back'
complete -c oresp-text -s v -l verbose -d 'Tell what was done, too'
complete -c oresp-text -l no-verbose -d 'take --verbose back'
complete -c oresp-text -l notices -r -f -a 'text json none' -d 'Tell notices on stderr as text (the default), as JSON, or not at all'
complete -c oresp-text -s h -l help -d 'Print this help'
complete -c oresp-text -s V -l version -d 'Print the version'
