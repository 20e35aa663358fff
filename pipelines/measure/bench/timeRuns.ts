import { measure } from 'mitata'

/** Median seconds of short work, which runs once before it is timed. */
export async function timeRuns(runs: number, work: () => unknown): Promise<number> {
  const { p50 } = await measure(work, { min_samples: runs, max_samples: runs, gc: false })
  return p50 / 1e9
}
