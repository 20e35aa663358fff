// A server whose tests of ideas are computed on a small market, and accounts that call it.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { labArea } from '../../src/lab/area.ts'
import type { RuleSpec } from '../../src/lab/language/spec.ts'
import type { LabState } from '../../src/lab/schema.ts'
import { AREAS } from '../../src/server/areas.ts'
import type { ServerOptions } from '../../src/server/main.ts'
import { type CallOptions, startTestApi, type TestApi } from './api.ts'
import { GO_FILE } from './labBehaviours.ts'

const ENGINE = join(import.meta.dirname, 'labEngineChild.ts')
const areas = AREAS.map(area => (area.name === 'lab' ? labArea(ENGINE) : area))

type Call = ReturnType<TestApi['call']>

export type LabAccount = {
  readonly key: string
  readonly accountId: string
  /** Stores an idea of the given number of contracts; returns its id. */
  readonly idea: (qty?: number) => Promise<string>
  readonly spec: () => Promise<{ readonly spec: RuleSpec }>
  readonly run: (id: string, kind: string, options?: CallOptions) => Call
  readonly act: (body: object) => Call
  readonly get: (path: string, options?: CallOptions) => Call
  readonly post: (path: string, options: CallOptions) => Call
  /** Polls the state until it is as it should be. */
  readonly until: (isSo: (state: LabState) => boolean) => Promise<LabState>
  // biome-ignore lint/suspicious/noExplicitAny: a body is what a client sees, JSON of any shape
  readonly untilDone: (job: string) => Promise<any>
}

export type LabApi = {
  readonly api: TestApi
  readonly newAccount: () => Promise<LabAccount>
  /** Lets the rules that wait go on. */
  readonly letGo: () => void
}

export async function startLabApi(options: Partial<ServerOptions> = {}): Promise<LabApi> {
  const api = await startTestApi({ areas, ...options })
  return {
    api,
    newAccount: async () => labAccount(api, await api.newKey('lab', 'lab')),
    letGo: () => writeFileSync(join(api.dataFolder, GO_FILE), ''),
  }
}

function labAccount(api: TestApi, own: { key: string; accountId: string }): LabAccount {
  const get = (path: string, options: CallOptions = {}) =>
    api.call(path, { key: own.key, ...options })
  const post = (path: string, options: CallOptions) => get(path, { method: 'POST', ...options })
  const say = async (qty: number) => {
    const trade = `sell ${qty} contracts of the 10-wide put spread 10 points below spot`
    const message = `At 10:00 ${trade}, if net gamma is above $400M.`
    const text = await post('/api/lab/chat', { body: JSON.stringify({ message }) })
    if (text.json.kind !== 'spec') throw new Error(JSON.stringify(text.json))
    return text.json.idea
  }
  return {
    ...own,
    get,
    post,
    idea: async (qty = 1) => (await say(qty)).id,
    spec: () => say(1),
    run: (id, kind, options = {}) =>
      post('/api/lab/run', { body: JSON.stringify({ id, kind }), ...options }),
    act: body => post('/api/lab/idea', { body: JSON.stringify(body) }),
    until: async isSo => {
      for (;;) {
        const { json } = await get('/api/lab/state')
        if (isSo(json)) return json
        await sleep(20)
      }
    },
    untilDone: async job => {
      for (;;) {
        const { json } = await get(`/api/struct/job?id=${job}`)
        if (json.job.state === 'done' || json.job.state === 'failed') return json
        await sleep(20)
      }
    },
  }
}
