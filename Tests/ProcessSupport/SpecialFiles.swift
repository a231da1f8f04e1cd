import Foundation

extension TemporaryFolder {
  /// Makes a symbolic link to `goal`; gives its path.
  @discardableResult
  package func link(_ name: String, to goal: String) -> String {
    symlink(goal, path + "/" + name)
    return path + "/" + name
  }

  /// Makes a FIFO; gives its path.
  package func fifo(_ name: String) -> String {
    mkfifo(path + "/" + name, 0o600)
    return path + "/" + name
  }
}

/// Sets a variable of this process's environment, which those that it starts inherit.
package func setEnvironment(_ name: String, _ value: String) { setenv(name, value, 1) }
