import Core
import Testing
import oresp_send
