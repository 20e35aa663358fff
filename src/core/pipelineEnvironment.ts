import { availableParallelism } from 'node:os'

/**
 * Memory allocator settings of a pipeline's process. The engine repeatedly allocates blocks of the
 * same sizes on one thread and frees them on another: freed memory is cached for a while. Other C
 * libraries ignore these settings. Sources: the "Memory Allocation Tunables" of the GNU C Library's
 * manual; TUNING.md of jemalloc, which the engine has under a prefix of its own.
 */
const allocators = (glibc: string | null) => ({
  // for small blocks; read only when a process starts
  GLIBC_TUNABLES: `glibc.malloc.tcache_count=${countArenas(glibc)}`,
  // for vectors and tables; the engine's own defaults are one second and 32 KB
  DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:10000,lg_tcache_max:19',
})

/**
 * Number of small blocks of a size each thread may cache. Before version 2.30 the GNU C Library
 * counts them in one byte, and 2.28 does not check for overflow: above 127 memory is corrupted.
 */
function countArenas(glibc: string | null): number {
  const [major = 0, minor = 0] = (glibc ?? '').split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 30) ? 4000 : 127
}

/** Version of the GNU C Library of this process, such as '2.36'; null: another library. */
function runningGlibc(): string | null {
  // otherwise the report resolves the names of open connections
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime ?? null
}

/**
 * Statements run on a pool of threads, four by default. Three concurrent ones on two cores are
 * preempted halfway, and each thread warms memory of its own. With as many threads as cores they
 * queue instead: this saves an eighth of a running session's minute.
 */
const poolThreads = () => String(Math.min(Math.max(availableParallelism(), 2), 4))

/** Environment of a pipeline: that of its parent process, but in UTC. */
export const pipelineEnvironment = (
  own: Readonly<Record<string, string | undefined>>,
  glibc: string | null = runningGlibc(),
): Record<string, string | undefined> => ({
  ...allocators(glibc),
  UV_THREADPOOL_SIZE: poolThreads(),
  ...own,
  // node-cron loses ticks, or spins, at clock changes of the host's time zone
  TZ: 'UTC',
})
