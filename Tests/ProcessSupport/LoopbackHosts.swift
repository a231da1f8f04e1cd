import Foundation

/// Two hosts that `ssh` reaches on 127.0.0.1: each an `sshd` of its own, with keys made for it.
package final class LoopbackHosts {
  /// The command that takes the place of `ssh`: it reads no configuration, and knows the key.
  package let ssh: String
  /// The hosts as GNU parallel takes them, with a comma between.
  package let names: String
  private let servers: [ToolProcess]

  /// Why no such host can be reached here; `nil` where one can.
  package static let lack: String? = {
    do {
      let folder = try TemporaryFolder()
      let hosts = try LoopbackHosts(in: folder) { _ in [:] }
      let port = hosts.names.split(separator: ",")[0].split(separator: ":")[1]
      let run = try ToolProcess.bash("\(hosts.ssh) -o ConnectTimeout=5 -p \(port) 127.0.0.1 true")
      let why = run.errors.trimmingCharacters(in: .whitespacesAndNewlines)
      return run.status == 0 ? nil : "ssh does not reach an sshd here: \(why)"
    } catch {
      return "sshd cannot run: \(error)"
    }
  }()

  /// What is run on the host with a number has the `environment` of that, and the built tools.
  package init(in folder: TemporaryFolder, environment: (Int) -> [String: String]) throws {
    let path = folder.path
    for name in ["host", "client"] {
      let made = try ToolProcess(
        "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", "\(path)/\(name)"]
      ).finish()
      guard made.outcome == .exited(0) else { throw SystemError(made.errors, 0) }
    }
    let own = ["HOME": path, "PATH": Tools.environment["PATH"] ?? ""]
    // As root it wants a folder that the start of a system makes.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    let program = Tools.path(of: "sshd") ?? "/usr/sbin/sshd"
    var (servers, names): ([ToolProcess], [String]) = ([], [])
    for number in 0..<2 {
      let variables = environment(number).merging(own) { $1 }.map { "\($0)=\($1)" }
      let configuration = try folder.file(
        "sshd\(number)",
        """
        ListenAddress 127.0.0.1
        HostKey \(path)/host
        AuthorizedKeysFile \(path)/client.pub
        AuthenticationMethods publickey
        UsePAM no
        StrictModes no
        PidFile none
        SetEnv \(variables.joined(separator: " "))

        """)
      let (socket, port) = try Socket.bindLoopback()
      close(socket)
      let server = try ToolProcess(
        "bash", ["-c", "exec '\(program)' -D -e -f '\(configuration)' -p \(port)"])
      _ = server.errors { $0.contains("listening") }
      servers.append(server)
      names.append("127.0.0.1:\(port)")
    }
    self.servers = servers
    self.names = names.joined(separator: ",")
    ssh =
      "ssh -F /dev/null -i \(path)/client -o BatchMode=yes -o IdentitiesOnly=yes"
      + " -o StrictHostKeyChecking=no -o UserKnownHostsFile=\(path)/known_hosts -o LogLevel=ERROR"
  }

  deinit { for number in servers.indices { kill(number) } }

  /// Has the host with that number go down, with all that runs there: what serves a connection is
  /// no longer in the process group of its server.
  package func kill(_ number: Int) {
    let script = """
      end() { for child in $(cat /proc/$1/task/*/children); do end "$child"; done; kill -9 "$1"; }
      end \(servers[number].processID) 2>/dev/null
      """
    _ = try? ToolProcess("bash", ["-c", script]).finish()
  }
}
