/** Descriptors kept for files, the accounts and the engine, and for connections turned away. */
const FILES_RESERVED = 256
/** More connections than this are no use to one process. */
const CONNECTIONS_MAX = 10_000

/** How many files and sockets this process may have open; null where the system does not say. */
export function descriptorLimit(): number | null {
  // else the names of open connections are looked up
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport() as {
    userLimits?: { open_files?: { soft: number | string } }
  }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : null
}

/** How many connections leave enough descriptors for the files that answers are read from. */
export function connectionsWithin(limit: number | null): number {
  if (limit === null) return CONNECTIONS_MAX
  const forFiles = Math.min(FILES_RESERVED, Math.ceil(limit / 2))
  return Math.max(1, Math.min(CONNECTIONS_MAX, limit - forFiles))
}
