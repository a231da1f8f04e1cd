import Core

run(TextTool.command)
