import Core

run(SSETool.command)
