// The ways to run a server in docs/operations.md: the commands of the Dockerfile, of compose.yaml
// and of the unit of systemd are run, and stopped as those do it.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, matchesGlob } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newFolder } from '../support/import.ts'
import {
  errorLines,
  isServed,
  killAll,
  processesWith,
  type Started,
  servedPort,
  start,
  waitUntil,
} from '../support/processes.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = newFolder()
  chmodSync(folder, 0o755)
})
afterEach(() => killAll(folder))

/** The instructions of the last stage of the Dockerfile, in their order. */
const INSTRUCTIONS = read('Dockerfile')
  .split('\n')
  .slice(
    read('Dockerfile')
      .split('\n')
      .findLastIndex(line => line.startsWith('FROM ')),
  )
  .flatMap(line => {
    const [, name, value] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: value! }]
  })

const listValues = (name: string) =>
  INSTRUCTIONS.filter(one => one.name === name).map(({ value }) => value)
const listWords = (name: string): string[] => JSON.parse(listValues(name).at(-1)!)
const healthcheck = (): string[] => JSON.parse(/CMD (.*)$/.exec(listValues('HEALTHCHECK')[0]!)![1]!)
const userId = () => Number(/^(\d+):\d+$/.exec(listValues('USER')[0]!)![1])

/** True when .dockerignore lets the build see a file. */
function isSent(file: string): boolean {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter(line => line && !line.startsWith('#'))
  return patterns.reduce((isIn, pattern) => {
    const isBack = pattern.startsWith('!')
    const glob = isBack ? pattern.slice(1) : pattern
    // Docker's * also means names that begin with a dot
    return glob === '*' || matchesGlob(file, glob) || file.startsWith(`${glob}/`) ? isBack : isIn
  }, true)
}

/** A path of the image, in the folder of the test. */
const inFolder = (text: string): string => text.replace(/(^|[ =])\/(app|data)\b/g, `$1${folder}/$2`)

/** Runs the steps of the Dockerfile, but with the packages of this machine: npm fetches none. */
function buildImage(): void {
  const app = join(folder, 'app')
  mkdirSync(app)
  for (const { name, value } of INSTRUCTIONS) {
    if (name === 'RUN' && isRoot) {
      expect(spawnSync('sh', ['-c', inFolder(value)], { cwd: app }).status, value).toBe(0)
    }
    if (name !== 'COPY') continue
    const [, from, source, target] = /^(--from=\w+ )?(\S+) (\S+)$/.exec(value)!
    if (from) {
      symlinkSync(join(ROOT, source!.replace(/^\/app\//, '')), join(app, target!))
      continue
    }
    expect(isSent(source!), source).toBe(true)
    cpSync(join(ROOT, source!), join(app, target!), { recursive: true })
  }
  mkdirSync(join(folder, 'data'), { recursive: true })
}

const findEnvironment = (settings: readonly string[]) =>
  Object.fromEntries(settings.map(setting => setting.split('=', 2) as [string, string]))

/** The environment of the image, at any free port of this machine. */
const imageEnvironment = () => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TMPDIR: '/tmp',
  ...findEnvironment(listValues('ENV').flatMap(value => inFolder(value).split(' '))),
  TAPEFOLD_PORT: '0',
})

async function expectStopped(started: Started, signal: NodeJS.Signals, pid = started.pid) {
  await waitUntil('it watches', () => started.text().includes('watching for alerts'))
  const port = servedPort(started.text())
  expect(await isServed(port)).toBe(true)
  process.kill(pid, signal)
  expect(await started.ended).toBe(0)
  await waitUntil('all processes end', () => processesWith(folder).length === 0)
  expect(await isServed(port)).toBe(false)
  expect(errorLines(started.text())).toEqual([])
}

const findCommand = (words: readonly string[]) => words.map(inFolder) as [string, ...string[]]
const uid = isRoot ? userId() : undefined

test('the image starts no npm and no shell of its own, as a user without rights', () => {
  expect(listWords('ENTRYPOINT')).toEqual(['/app/bin/tapefold'])
  expect(userId()).toBeGreaterThan(0)
  expect(listValues('STOPSIGNAL')).toEqual(['SIGTERM'])
  expect(listValues('VOLUME')).toEqual([
    findEnvironment(listValues('ENV')[0]!.split(' ')).TAPEFOLD_DATA,
  ])
  for (const file of ['node_modules', '.git', 'data/accounts.sqlite', 'test', 'data/demo']) {
    expect(isSent(file), file).toBe(false)
  }
})

test('the command of the image serves, and ends with all at its STOPSIGNAL', async () => {
  buildImage()
  const [command, ...args] = findCommand([...listWords('ENTRYPOINT'), ...listWords('CMD')])
  const cwd = join(folder, 'app')
  const server = start(command, args, { cwd, env: imageEnvironment(), uid })
  await expectStopped(server, listValues('STOPSIGNAL')[0] as NodeJS.Signals)
  expect(existsSync(join(folder, 'data/accounts.sqlite'))).toBe(true)
})

/** Runs a command as process 1, which only root may here. */
const unshare = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const mayUnshare = isRoot && spawnSync(unshare[0]!, [...unshare.slice(1), 'true']).status === 0

test.skipIf(!mayUnshare).each(['it watches', 'it has just begun'])(
  'as process 1 of a container it ends at SIGTERM, when %s',
  async point => {
    buildImage()
    const own = findCommand([...listWords('ENTRYPOINT'), ...listWords('CMD')])
    const user = ['setpriv', '--reuid', String(userId()), '--regid', String(userId())]
    const [command, ...args] = [...unshare, ...user, '--clear-groups', ...own]
    const cwd = join(folder, 'app')
    const server = start(command!, args, { cwd, env: imageEnvironment() })
    const inside = () =>
      processesWith('src/cli/tapefold.ts').filter(pid => isOfTest(pid) && isListening(pid))
    await waitUntil('it listens to signals', () => inside().length > 0)
    const [first] = inside()
    if (point === 'it watches') return await expectStopped(server, 'SIGTERM', first)
    process.kill(first!, 'SIGTERM')
    expect([0, 143]).toContain(await server.ended)
    await waitUntil('all processes end', () => processesWith(folder).length === 0)
  },
)

const isOfTest = (pid: number) => processesWith(folder).includes(pid)

/**
 * True when a process catches SIGHUP, the last signal that the entrance listens to, by the mask
 * that Linux shows. Node itself catches SIGTERM from its start, and as process 1 does not end then.
 */
function isListening(pid: number): boolean {
  try {
    const mask = /^SigCgt:\s+(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!
    return (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    return false
  }
}

test.each([
  [200, 0],
  [503, 1],
])(
  'its health check asks whether it is ready: of %i it makes exit code %i',
  async (status, code) => {
    const requested: (string | undefined)[] = []
    const server = createServer((req, res) => {
      requested.push(req.url)
      res.writeHead(status).end()
    })
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const [, ...args] = healthcheck()
    const env = { ...imageEnvironment(), TAPEFOLD_PORT: String(port) }
    const check = () => start(join(ROOT, 'node_modules/.bin/node'), args, { env }).ended
    // the one of the image: the packages have none for every processor
    expect(healthcheck()[0]).toBe('node')
    expect(await check()).toBe(code)
    expect(requested).toEqual(['/health/ready'])
    server.closeAllConnections()
    await new Promise(closed => server.close(closed))
    expect(await check()).toBe(1)
  },
)

type Service = {
  readonly command: string[]
  readonly volumes: string[]
  readonly [key: string]: unknown
}
const compose = parseYaml(read('compose.yaml')) as {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
}

test.each(Object.entries(compose.services))(
  'the service %s of compose.yaml runs, and ends at SIGTERM',
  async (_name, service) => {
    buildImage()
    expect(service).toMatchObject({
      stop_grace_period: '30s',
      volumes: ['data:/data'],
      image: 'tapefold',
    })
    expect(compose.volumes).toHaveProperty('data')
    const [command, ...args] = findCommand([...listWords('ENTRYPOINT'), ...service.command])
    const env = imageEnvironment()
    const started = start(command, args, { cwd: join(folder, 'app'), env, uid })
    if (service.command[0] === 'serve') return await expectStopped(started, 'SIGTERM')
    await waitUntil('it works', () => started.text().includes('waiting for sessions'))
    process.kill(started.pid, 'SIGTERM')
    expect(await started.ended).toBe(0)
    await waitUntil('all processes end', () => processesWith(folder).length === 0)
  },
)

const unitText = /```ini\n(\[Unit\][\s\S]*?)```/.exec(read('docs/operations.md'))![1]!
const unit = (name: string) =>
  [...unitText.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

test('the command of the unit ends with all when its main process is sent SIGTERM', async () => {
  // systemd sends the signal to the main process alone, and kills later what is left
  expect(unit('KillMode')).toEqual(['mixed'])
  const [command, ...args] = unit('ExecStart')[0]!.replace('/opt/tapefold', ROOT).split(' ')
  const settings = unit('Environment').filter(setting => !setting.includes('%d'))
  const env = { PATH: process.env.PATH, ...findEnvironment(settings) }
  expect(env).toMatchObject({ TAPEFOLD_DATA: `/var/lib/${unit('StateDirectory')[0]}` })
  const here = { TAPEFOLD_DATA: folder, TAPEFOLD_PORT: '0' }
  await expectStopped(start(command!, args, { env: { ...env, ...here } }), 'SIGTERM')
})

const analyze = ['systemd-analyze', ['--version']] as const
test.skipIf(spawnSync(...analyze).status !== 0)('systemd understands the unit', () => {
  const file = join(folder, 'tapefold.service')
  // a program and a user of this machine
  writeFileSync(
    file,
    unitText.replace('/opt/tapefold', ROOT).replace('User=tapefold', 'User=daemon'),
  )
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  expect(stderr.split('\n').filter(line => line.includes('tapefold.service'))).toEqual([])
  expect(status).toBe(0)
})
