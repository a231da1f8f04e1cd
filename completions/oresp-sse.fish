# Completes oresp-sse in fish. Made from the option table.
# Form
complete -c oresp-sse -s r -l reverse -d 'Turn one event a line into an event stream'
complete -c oresp-sse -l no-reverse -d 'turn --reverse off'
complete -c oresp-sse -l done -d 'With --reverse, end the stream with [DONE]'
complete -c oresp-sse -l no-done -d 'turn --done off'
complete -c oresp-sse -l envelope -d 'Give each event as an object of its fields'
complete -c oresp-sse -l no-envelope -d 'turn --envelope off'
complete -c oresp-sse -l stamp -d 'Add when each event arrived'
complete -c oresp-sse -l no-stamp -d 'turn --stamp off'
complete -c oresp-sse -l comments -d 'Keep comments, as events of type oresp.comment'
complete -c oresp-sse -l no-comments -d 'turn --comments off'
# Limits and faults
complete -c oresp-sse -l max-event -r -f -d 'Drop an event longer than SIZE (256M; 0 is no limit)'
complete -c oresp-sse -l check -d 'Print no events; tell all that a parser ignores, drops or replaces'
complete -c oresp-sse -l no-check -d 'turn --check off'
# General
complete -c oresp-sse -s q -l quiet -d 'Tell errors only'
complete -c oresp-sse -l no-quiet -d 'turn --quiet off'
complete -c oresp-sse -s v -l verbose -d 'Tell what was done, too'
complete -c oresp-sse -l no-verbose -d 'turn --verbose off'
complete -c oresp-sse -l notices -r -f -a 'text json none' -d 'Tell notices on stderr as text (the default), as JSON, or not at all'
complete -c oresp-sse -s h -l help -d 'Print this help'
complete -c oresp-sse -s V -l version -d 'Print the version'
