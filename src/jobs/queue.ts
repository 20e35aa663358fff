/** How long a claim holds without a sign of life: after a kill, other workers wait so long. */
export const LEASE_MS = 30_000

/** How often a worker shows that it lives; two in a row may be lost. */
export const HEARTBEAT_MS = 10_000

/** A job whose workers died this often fails: what kills workers must not kill all of them. */
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
  /** The job is not claimed before this one, if the queue has it, is done. */
  readonly after: string | null
}

/** How a job ended. */
export type Ending = {
  /** One word, such as built or failed. */
  readonly outcome: string
  /** Why it failed, in one sentence. */
  readonly reason: string | null
  readonly tookMs: number
}

export type EndedJob = Ending & {
  readonly item: string
  /** How often it was claimed: more than once when a worker died over it. */
  readonly tries: number
}

/**
 * Work that processes, perhaps on many machines, share. A job is done at least once: a worker that
 * dies or is cut off loses its lease and another one claims the job, so a handler asks first
 * whether its work is done. Every operation is one statement or one transaction.
 */
export type JobQueue = {
  /**
   * Adds jobs to a queue. A queue with open jobs is joined: what it has, done or not, stays. One
   * whose jobs are all done begins anew.
   */
  readonly add: (queue: string, jobs: readonly NewJob[]) => Promise<void>
  /** Gives the worker the first job that nobody holds and that waits for none; else null. */
  readonly claim: (queue: string, worker: string) => Promise<Job | null>
  /** Prolongs the lease; false when the job is another's by now, and this worker has to stop. */
  readonly renewLease: (job: Job) => Promise<boolean>
  /** Writes how the job ended; false when the job is another's by now. */
  readonly finish: (job: Job, ending: Ending) => Promise<boolean>
  /** Gives back at once what a worker that is known to be dead held. */
  readonly release: (worker: string) => Promise<void>
  /** Jobs that have ended, in the order of their ending. */
  readonly ended: (queue: string) => Promise<EndedJob[]>
  /** How many jobs have not ended. */
  readonly openCount: (queue: string) => Promise<number>
  /** Takes the jobs of a queue away, done or not. */
  readonly clear: (queue: string) => Promise<void>
  /** Takes or prolongs a lease that one holder has at a time; false when another one has it. */
  readonly holdLease: (name: string, holder: string) => Promise<boolean>
  readonly releaseLease: (name: string, holder: string) => Promise<void>
  readonly close: () => Promise<void>
}
