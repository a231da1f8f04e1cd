import Core

// What tools call of the system, by the names that the linker's `--wrap` gives: the `World` answers
// while one is there. It lets nothing be written, made, run, connected or removed.

@_silgen_name("__real_read")
private func realRead(_ number: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int
@_silgen_name("__real_write")
private func realWrite(_ number: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int
@_silgen_name("__real_close") private func realClose(_ number: Int32) -> Int32
@_silgen_name("__real_dup") private func realDuplicate(_ number: Int32) -> Int32
@_silgen_name("__real_poll")
private func realPoll(_ list: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32) -> Int32
@_silgen_name("__real_open")
private func realOpen(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32
@_silgen_name("__real_clock_gettime")
private func realTime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32
@_silgen_name("__real_swift_stdlib_random")
private func realRandom(_ base: UnsafeMutableRawPointer, _ count: Int)
@_silgen_name("__real_unlink") private func realUnlink(_ path: UnsafePointer<CChar>) -> Int32

private func failed(_ why: Int32) -> Int32 {
  errno = why
  return -1
}

@_cdecl("__wrap_read")
func wrappedRead(_ number: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  guard let world = World.current, number >= World.stdin else {
    return realRead(number, base, count)
  }
  let got = world.read(number, UnsafeMutableRawBufferPointer(start: base, count: count))
  return got < 0 ? Int(failed(EINTR)) : got
}

@_cdecl("__wrap_write")
func wrappedWrite(_ number: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
  guard let world = World.current, number >= World.stdin else {
    return realWrite(number, base, count)
  }
  let put = world.write(number, UnsafeRawBufferPointer(start: base, count: count))
  return put < 0 ? Int(failed(EINTR)) : put
}

@_cdecl("__wrap_open")
func wrappedOpen(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  guard let world = World.current else { return realOpen(path, flags, mode) }
  let name = String(cString: path)
  guard flags & (O_WRONLY | O_RDWR) == 0 else {
    return name == "/dev/null" ? realOpen(path, flags, mode) : failed(EACCES)
  }
  let number = world.open(name)
  return number < 0 ? failed(ENOENT) : number
}

@_cdecl("__wrap_close")
func wrappedClose(_ number: Int32) -> Int32 {
  guard let world = World.current, number >= World.stdin else { return realClose(number) }
  world.close(number)
  return 0
}

@_cdecl("__wrap_dup")
func wrappedDuplicate(_ number: Int32) -> Int32 {
  World.current == nil || number < World.stdin ? realDuplicate(number) : number
}

@_cdecl("__wrap_poll")
func wrappedPoll(
  _ list: UnsafeMutablePointer<pollfd>, _ count: nfds_t, _ time: Int32
) -> Int32 {
  guard World.current != nil, count == 1, list.pointee.fd >= World.stdin else {
    return realPoll(list, count, time)
  }
  // There is always something to read, and somebody who reads.
  list.pointee.revents = list.pointee.events
  return list.pointee.events == 0 ? 0 : 1
}

@_cdecl("__wrap_clock_gettime")
func wrappedTime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
  guard let world = World.current else { return realTime(clock, time) }
  time.pointee.tv_sec = 1_700_000_000 + world.waited / 1_000_000_000
  time.pointee.tv_nsec = world.waited % 1_000_000_000
  return 0
}

@_cdecl("__wrap_nanosleep")
func wrappedSleep(
  _ time: UnsafePointer<timespec>, _ rest: UnsafeMutablePointer<timespec>?
) -> Int32 {
  World.current?.wait(time.pointee)
  return 0
}

@_cdecl("__wrap_swift_stdlib_random")
func wrappedRandom(_ base: UnsafeMutableRawPointer, _ count: Int) {
  guard let world = World.current else { return realRandom(base, count) }
  for index in 0..<count {
    base.storeBytes(
      of: UInt8(truncatingIfNeeded: world.generator.next()), toByteOffset: index, as: UInt8.self)
  }
}

@_cdecl("__wrap_unlink") func wrappedUnlink(_ path: UnsafePointer<CChar>) -> Int32 {
  World.current == nil ? realUnlink(path) : failed(EACCES)
}

@_cdecl("__wrap_rename")
func wrappedRename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
  failed(EACCES)
}

@_cdecl("__wrap_link")
func wrappedLink(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
  failed(EACCES)
}

@_cdecl("__wrap_mkdir")
func wrappedMakeFolder(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> Int32 { failed(EACCES) }

@_cdecl("__wrap_popen")
func wrappedRun(
  _ command: UnsafePointer<CChar>, _ mode: UnsafePointer<CChar>
) -> UnsafeMutableRawPointer? {
  errno = EACCES
  return nil
}

@_cdecl("__wrap_curl_multi_perform")
func wrappedPerform(_ multi: UnsafeRawPointer, _ running: UnsafeRawPointer) -> Int32 {
  fail("a request would have been sent")
}
