import Core

run(SendTool.command)
