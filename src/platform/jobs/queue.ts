/** Lease of a claim without a heartbeat: the time other workers wait after a kill. */
export const LEASE_MS = 30_000

/** Heartbeat interval of a worker; two in a row may be lost. */
export const HEARTBEAT_MS = 10_000

/** A job whose workers died this often fails, so that it cannot kill all of them. */
export const ATTEMPTS_MAX = 3

/** A job that a worker holds. */
export type Job = {
  readonly queue: string
  readonly item: string
  readonly worker: string
  /** 1 at the first claim. */
  readonly tries: number
}

export type NewJob = {
  readonly item: string
  /** Item of the queue, if it has it, that must be done before the job is claimed. */
  readonly after: string | null
}

/** End of a job. */
export type Ending = {
  /** One word, such as built or failed. */
  readonly outcome: string
  /** Reason of a failure, in one sentence. */
  readonly reason: string | null
  readonly tookMs: number
}

export type EndedJob = Ending & {
  readonly item: string
  /** Number of claims: more than one when a worker died on it. */
  readonly tries: number
}

/**
 * Work shared by processes, perhaps on many machines. A job runs at least once: a worker that dies
 * or is cut off loses its lease and another one claims the job, so a handler first checks that its
 * work is not done already. Every operation is one statement or one transaction.
 */
export type JobQueue = {
  /**
   * Adds jobs to a queue. A queue with open jobs is joined: its jobs, done or not, stay. One whose
   * jobs are all done starts again.
   */
  readonly add: (queue: string, jobs: readonly NewJob[]) => Promise<void>
  /** Claims the first job that is free and waits for none; else null. */
  readonly claim: (queue: string, worker: string) => Promise<Job | null>
  /** Renews the lease; false when another worker holds the job, and this one has to stop. */
  readonly renewLease: (job: Job) => Promise<boolean>
  /** Stores the end of the job; false when another worker holds it. */
  readonly finish: (job: Job, ending: Ending) => Promise<boolean>
  /** Releases at once the jobs of a worker known to be dead. */
  readonly release: (worker: string) => Promise<void>
  /** Jobs that have ended, in the order of their ends. */
  readonly ended: (queue: string) => Promise<EndedJob[]>
  /** Number of jobs that have not ended. */
  readonly openCount: (queue: string) => Promise<number>
  /** Removes the jobs of a queue, done or not. */
  readonly clear: (queue: string) => Promise<void>
  /** Takes or renews a lease with one holder at a time; false when another one has it. */
  readonly holdLease: (name: string, holder: string) => Promise<boolean>
  readonly releaseLease: (name: string, holder: string) => Promise<void>
  readonly close: () => Promise<void>
}
