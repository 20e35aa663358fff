// Two publishers of one session, of which one stands still at a call to the disk while the other
// publishes something newer. How long it stands still is of no importance: its locks are the
// kernel's, which knows no time, so it is resumed as soon as the other is done or waits for it.

import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { readLiveManifest } from '../../src/data/published/liveManifest.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { counted, findCopy } from './chaos.ts'
import { newFolder } from './import.ts'
import type { RaceOrder } from './racingPublisher.ts'
import { expectReadable } from './readable.ts'
import { openStates } from './states.ts'
import { openVersions } from './versions.ts'

export const RACE_KINDS = ['session', 'state'] as const
export type RaceKind = (typeof RACE_KINDS)[number]

/** False where a process that stands still cannot be recognized. */
export const canRace = existsSync('/proc/self/stat')

/** The version that is published after a publish; null and why when it was refused. */
type Outcome = { readonly published: number | null; readonly refused: string | null }

type Racer = {
  readonly publish: (version: number, folder: string) => Promise<Outcome>
  readonly close: () => void
}

const DATE = '2026-10-15'
/** Refusals of a publisher that another one was faster than, or whose files it took for strays. */
export const REFUSED =
  /( was published anew meanwhile|was removed while [\d-]+ was published); run it again\.$/

/** Time that a publisher takes when nothing holds it up, many times over. */
const PATIENCE_MS = 400

/** Opens a publisher; it reports what it was refused, and fails otherwise. */
export async function openRacer(kind: RaceKind): Promise<Racer> {
  const { publish, close } =
    kind === 'session'
      ? await openVersions('', DATE, ['orders', 'levels', 'stats'])
      : await openStates(DATE)
  return {
    publish: async (version, folder) => {
      try {
        const manifest = await publish(version, folder)
        return { published: manifest.minutes.present, refused: null }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { published: null, refused: error.message }
      }
    },
    close,
  }
}

/** Calls with which a publisher begins: it reads what it will replace. */
const FIRST_CALLS = { session: 1, state: 0 } as const satisfies Record<RaceKind, number>

/** Outcomes of the race at each call: who was refused, if any. */
export type Race = {
  /** Number of calls to the disk of one publish, after it has begun. */
  readonly callCount: number
  /** Lets one publisher stand still at a call; returns who was refused. */
  readonly run: (pauseAt: number) => Promise<'older' | 'newer' | 'none'>
  readonly close: () => void
}

/** Opens a race of publishers of version 2 and 3 of a session that stands at version 1. */
export async function openRace(kind: RaceKind): Promise<Race> {
  const template = newFolder()
  const newer = await openRacer(kind)
  await newer.publish(1, template)
  const child = fork(join(import.meta.dirname, 'racingPublisher.ts'), [kind])
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', code => reject(new Error(`the publisher ended with ${code}`))),
  )
  ended.catch(() => {})
  await Promise.race([nextMessage(child), ended])
  const order = (sent: RaceOrder) => {
    const outcome = nextMessage<Outcome & { readonly calls: number }>(child)
    child.send(sent)
    return Promise.race([outcome, ended])
  }
  const whole = await order({ folder: findCopy(template), version: 2, pauseAt: null })
  return {
    callCount: whole.calls - FIRST_CALLS[kind],
    run: pauseAt =>
      counted('stand-stills at a call', async () => {
        const folder = findCopy(template)
        const older = order({ folder, version: 2, pauseAt: pauseAt + FIRST_CALLS[kind] })
        while (!isStopped(child.pid!)) await sleep(2)
        const second = newer.publish(3, folder)
        // it waits where the first one holds the lock
        await Promise.race([second, sleep(PATIENCE_MS)])
        child.kill('SIGCONT')
        return judge(kind, folder, [await older, await second], pauseAt)
      }),
    close: () => {
      newer.close()
      child.kill('SIGKILL')
    },
  }
}

/** Whatever the order: the newest accepted version is served, and whole. */
async function judge(
  kind: RaceKind,
  folder: string,
  outcomes: readonly Outcome[],
  pauseAt: number,
): Promise<'older' | 'newer' | 'none'> {
  const manifest = kind === 'session' ? readManifest(folder, DATE) : readLiveManifest(folder, DATE)
  const accepted = outcomes.flatMap(({ published }) => published ?? [])
  expect(manifest!.minutes.present, `call ${pauseAt}`).toBe(Math.max(...accepted))
  await expectReadable(folder, DATE)
  for (const { refused } of outcomes) {
    if (refused !== null) expect(refused).toMatch(REFUSED)
  }
  const [older, newer] = outcomes
  if (older!.refused !== null) return 'older'
  return newer!.refused === null ? 'none' : 'newer'
}

const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise(resolve => child.once('message', message => resolve(message as T)))

const isStopped = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.startsWith('T')
