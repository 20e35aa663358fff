import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from '../../src/accounts/apiKey.ts'
import type { Plan } from '../../src/accounts/products.ts'
import {
  accountFilePath,
  openAccountStore,
  type ServerStore,
} from '../../src/server/accountStore.ts'
import { type ServerOptions, startServer } from '../../src/server/main.ts'
import { expectDescribed, findText, type Result } from './openapi.ts'

/** 20:00 ET on the example session's evening: its ledger is due and past its grace. */
export const EVENING_MS = Date.parse('2026-10-15T00:00:00Z')

// in memory where the system has it: thousands of commits would wait for a disk others use
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export type CallOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** null sends no Authorization header. */
  readonly key?: string | null
  readonly body?: string | Buffer
}

export type TestApi = {
  readonly url: string
  readonly port: number
  readonly dataFolder: string
  readonly accounts: ServerStore
  /** A key of a new account on the plan orders. */
  readonly key: string
  readonly accountId: string
  /** The lines logged so far. */
  readonly logged: readonly { fields: Record<string, unknown>; message: string }[]
  readonly clock: { atMs: number }
  /** Calls the server; the response is checked against the OpenAPI file. */
  // biome-ignore lint/suspicious/noExplicitAny: a body is what a client sees, JSON of any shape
  readonly call: (path: string, options?: CallOptions) => Promise<Result & { json: any }>
  /** Connections that the server holds. */
  readonly connectionCount: () => number
  readonly newKey: (
    plan?: Plan | 'none',
    scope?: Scope,
  ) => Promise<{ key: string; accountId: string }>
  /** Puts an account on a plan without an end, or takes the Orders API from it. */
  readonly setPlan: (accountId: string, plan: Plan | 'none') => Promise<void>
  readonly close: () => Promise<void>
}

/** An account file without accounts, once it is made. */
let emptyAccounts: Buffer | null = null

async function makeAccounts(): Promise<Buffer> {
  const folder = mkdtempSync(join(FOLDER, 'tapefold-accounts-'))
  const file = accountFilePath(folder)
  await (await openAccountStore(file)).close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}

/** A server on a folder of its own, with one account. */
export async function startTestApi(options: Partial<ServerOptions> = {}): Promise<TestApi> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(FOLDER, 'tapefold-api-'))
  const accountFile = accountFilePath(dataFolder)
  // each migration of a new file is a commit
  emptyAccounts ??= await makeAccounts()
  if (!options.databaseUrl && !existsSync(accountFile)) {
    mkdirSync(dataFolder, { recursive: true })
    writeFileSync(accountFile, emptyAccounts)
  }
  const clock = { atMs: EVENING_MS }
  const logged: { fields: Record<string, unknown>; message: string }[] = []
  const write = (fields: object, message: string) => {
    logged.push({ fields: fields as Record<string, unknown>, message })
  }
  const server = await startServer({
    dataFolder,
    host: '127.0.0.1',
    port: 0,
    clock: { nowMs: () => clock.atMs },
    log: { info: write, error: write },
    // a test reports what it has just changed, as often as it likes, while its clock stands
    // still
    judgedForMs: 0,
    pageLimit: { atOnce: 1_000_000, perSecond: 1 },
    // every name has a public address: no test queries the DNS
    resolveHost: async () => ({ kind: 'addresses', addresses: ['93.184.215.14'] }),
    ...options,
  })
  const accounts = await openAccountStore(options.databaseUrl ?? accountFile)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const port = Number(new URL(server.url).port)

  const newKey = async (plan: Plan | 'none' = 'orders', scope: Scope = 'orders') => {
    const made = { name: 'desk', plan: plan === 'none' ? null : plan, createdAtMs: 0 }
    const account = await accounts.addAccount(made)
    const added = await accounts.addKey({
      accountId: account.id,
      scope,
      name: 'laptop',
      createdAtMs: 0,
    })
    return { key: added!.apiKey, accountId: account.id }
  }
  const setPlan = async (accountId: string, plan: Plan | 'none') => {
    if (plan === 'none') await accounts.removeProduct(accountId, 'orders')
    else await accounts.putProduct(accountId, { plan, fromMs: 0, untilMs: null })
  }
  const { key, accountId } = await newKey()

  const call = async (
    path: string,
    { method = 'GET', headers = {}, body, ...rest }: CallOptions = {},
  ) => {
    const sent = rest.key === undefined ? key : rest.key
    const authorization = sent === null ? {} : { authorization: `Bearer ${sent}` }
    const response = await send(
      { agent, port, host: '127.0.0.1', path, method, headers: { ...authorization, ...headers } },
      path,
      body,
    )
    expectDescribed(response)
    return { ...response, json: findJson(response) }
  }
  return {
    url: server.url,
    port,
    dataFolder,
    accounts,
    key,
    accountId,
    logged,
    clock,
    call,
    connectionCount: () => server.connections().open,
    newKey,
    setPlan,
    close: async () => {
      agent.destroy()
      await server.close()
      await accounts.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Bytes that a server returns to bytes sent as they are, until it closes. */
export function sendRaw(port: number, text: string | Buffer, isStored = false): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    const finish = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('end', finish)
    socket.on('error', finish)
    if (isStored) socket.write(text)
    else socket.end(text)
  })
}

function send(
  options: RequestOptions & { method: string },
  path: string,
  given?: string | Buffer,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const sent = request(options, res => {
      const chunks: Buffer[] = []
      const finish = () => {
        const headers = new Headers()
        for (let index = 0; index < res.rawHeaders.length; index += 2) {
          headers.append(res.rawHeaders[index]!, res.rawHeaders[index + 1]!)
        }
        const body = Buffer.concat(chunks)
        resolve({ method: options.method, path, status: res.statusCode!, headers, body })
      }
      res.on('data', chunk => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', finish)
      // a stream has no end: its first bytes are the response
      if (!res.headers['content-type']?.startsWith('text/event-stream')) return
      res.once('data', () => {
        finish()
        res.destroy()
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // the server may close an idle connection as the next request leaves (RFC 9112, 9.3.1)
      const isRace = sent.reusedSocket && error.code === 'ECONNRESET'
      if (isRace) resolve(send(options, path, given))
      else reject(error)
    })
    sent.end(given)
  })
}

function findJson(response: Result): unknown {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return isJson && response.body.byteLength > 0 ? JSON.parse(findText(response)) : null
}
