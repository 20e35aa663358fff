import { availableParallelism } from 'node:os'

/**
 * How a pipeline's process hands out memory. The engine asks for many pieces of the same sizes over
 * and over, from one thread and back from another: what it gives back is kept for a while. Where a
 * library is none of these, it reads none of this. Sources: the "Memory Allocation Tunables" of the
 * GNU C Library's manual; TUNING.md of jemalloc, which the engine has under a prefix of its own.
 */
const allocators = (glibc: string | null) => ({
  // of small pieces; read only when a process starts
  GLIBC_TUNABLES: `glibc.malloc.tcache_count=${countArenas(glibc)}`,
  // of vectors and tables; the engine itself says one second and 32 KB
  DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:10000,lg_tcache_max:19',
})

/**
 * How many small pieces of a size each thread may keep. Before its version 2.30 the GNU C Library
 * counts them in one byte, and 2.28 does not look whether they fit: above 127 memory is spoiled.
 */
function countArenas(glibc: string | null): number {
  const [major = 0, minor = 0] = (glibc ?? '').split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 30) ? 4000 : 127
}

/** The version of the GNU C Library that runs this process, such as '2.36'; null: another one. */
function runningGlibc(): string | null {
  // else the names of open connections are looked up
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime ?? null
}

/**
 * Statements run on a pool of threads, by default four. Three beside each other on two cores take
 * turns in the middle, and each thread warms memory of its own. With as many threads as cores they
 * wait for each other instead: an eighth off a running session's minute.
 */
const poolThreads = () => String(Math.min(Math.max(availableParallelism(), 2), 4))

/** The environment of a pipeline: that of the process which starts it, but in UTC. */
export const pipelineEnvironment = (
  own: Readonly<Record<string, string | undefined>>,
  glibc: string | null = runningGlibc(),
): Record<string, string | undefined> => ({
  ...allocators(glibc),
  UV_THREADPOOL_SIZE: poolThreads(),
  ...own,
  // node-cron loses ticks, or spins, where the host's own time zone changes its clocks
  TZ: 'UTC',
})
