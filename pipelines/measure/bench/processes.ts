/** The processes of a bench: the API, its yardsticks, and the accounts that call it. */

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scope } from '../../../src/accounts/apiKey.ts'
import type { Plan } from '../../../src/accounts/products.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { fileEnvironment } from '../../command/command.ts'

export type Server = { readonly url: string; readonly child: ChildProcess }

const START_TIMEOUT_MS = 300_000
const COMMAND_SCRIPT = join(import.meta.dirname, '../../../src/cli/cli.ts')
const BARE_SCRIPT = join(import.meta.dirname, 'bareServer.ts')

/**
 * Starts the command as in production but for the given settings; its log goes to a file, as a
 * service's does.
 */
async function startApi(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Server> {
  const logFile = join(dataFolder, 'serve.log')
  const log = openSync(logFile, 'w')
  const args = [COMMAND_SCRIPT, 'serve', '--port', '0', '--data', dataFolder]
  const env = { ...fileEnvironment(), ...settings }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, 'inherit'] })
  closeSync(log)
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += 50) {
    const url = /serves (http:\S+),/.exec(readFileSync(logFile, 'utf8'))?.[1]
    if (url) return { url, child }
    if (child.exitCode !== null) break
    await wait(50)
  }
  child.kill()
  throw new Refusal('tapefold serve did not start; its message is above.')
}

/** Does some work with the API of a data folder, which then ends. */
export async function withApi<T>(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
  work: (api: Server) => Promise<T>,
): Promise<T> {
  const api = await startApi(dataFolder, settings)
  try {
    return await work(api)
  } finally {
    await stop(api)
  }
}

/** Sends a file for every request, with its headers; or a folder, as `express.static` does. */
export async function startBare(path: string, headers?: object): Promise<Server> {
  const child = fork(BARE_SCRIPT, [path, ...(headers ? [JSON.stringify(headers)] : [])])
  return { url: await receiveMessage(child, 'the bare server'), child }
}

export async function stop({ child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const stopped = once(child, 'exit')
  child.kill('SIGTERM')
  await stopped
}

/** Resolves with the next message of a process; fails when it ends without one. */
export function receiveMessage<Message>(child: ChildProcess, name: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Refusal(`${name} ended with ${code}.`))
    child.once('exit', fail)
    child.once('message', message => {
      child.off('exit', fail)
      resolve(message as Message)
    })
  })
}

type Accounts = {
  readonly plan: Plan
  readonly scope: Scope
  readonly accounts: number
  /** Keys of each. */
  readonly keys: number
  /** A further product of each, by its plan. */
  readonly product?: Plan
}

/** Adds accounts to a data folder; returns their keys. */
export async function addKeys(dataFolder: string, options: Accounts): Promise<string[]> {
  const { plan, scope, accounts, keys, product } = options
  const store = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const createdAtMs = systemClock.nowMs()
  const added: string[] = []
  for (let account = 0; account < accounts; account++) {
    const { id: accountId } = await store.addAccount({ name: 'bench', plan, createdAtMs })
    if (product) {
      await store.putProduct(accountId, { plan: product, fromMs: createdAtMs, untilMs: null })
    }
    for (let key = 0; key < keys; key++) {
      const { apiKey } = (await store.addKey({ accountId, scope, name: 'bench', createdAtMs }))!
      added.push(apiKey)
    }
  }
  await store.close()
  return added
}

export const authorize = (key: string) => ({ authorization: `Bearer ${key}` })
