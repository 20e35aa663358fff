/** Descriptors reserved for files, the accounts, the engine and refused connections. */
const FILES_RESERVED = 256
/** Connections above which one process gains nothing. */
const CONNECTIONS_MAX = 10_000

/** Maximum open files and sockets of this process; null when the system does not report it. */
export function descriptorLimit(): number | null {
  // otherwise the report resolves the names of open connections
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport() as {
    userLimits?: { open_files?: { soft: number | string } }
  }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : null
}

/** Number of connections that leaves enough descriptors for the files of responses. */
export function connectionsWithin(limit: number | null): number {
  if (limit === null) return CONNECTIONS_MAX
  const forFiles = Math.min(FILES_RESERVED, Math.ceil(limit / 2))
  return Math.max(1, Math.min(CONNECTIONS_MAX, limit - forFiles))
}
