import Core

run(EventsTool.command)
