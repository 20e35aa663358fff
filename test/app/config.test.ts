import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig, siteUrlOf } from '../../src/config.ts'
import { pipelineEnvironment } from '../../src/pipelineEnvironment.ts'

const OURS = {
  GLIBC_TUNABLES: 'glibc.malloc.tcache_count=4000',
  DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:10000,lg_tcache_max:19',
}

test('a pipeline has what its process has, a share of memory and cores, and runs in UTC', () => {
  const cores = availableParallelism()
  expect(pipelineEnvironment({ PATH: '/bin', TZ: 'America/New_York' }, '2.36')).toEqual({
    ...OURS,
    PATH: '/bin',
    UV_THREADPOOL_SIZE: cores <= 2 ? '2' : cores === 3 ? '3' : '4',
    TZ: 'UTC',
  })
})

test.each([
  ['2.28', 127],
  ['2.29', 127],
  ['2.30', 4000],
  ['2.42', 4000],
  ['3.0', 4000],
  [null, 127],
])('with GNU C Library %s a thread keeps %i small pieces of a size', (glibc, count) => {
  const { GLIBC_TUNABLES } = pipelineEnvironment({}, glibc)
  expect(GLIBC_TUNABLES).toBe(`glibc.malloc.tcache_count=${count}`)
})

const told = spawnSync('getconf', ['GNU_LIBC_VERSION'], { encoding: 'utf8' }).stdout ?? ''

test.skipIf(told === '')('the library of the process that starts a pipeline counts', () => {
  const version = /^glibc (\d+\.\d+)/.exec(told)?.[1] ?? null
  expect(pipelineEnvironment({})).toEqual(pipelineEnvironment({}, version))
})

test('who says otherwise is listened to', () => {
  const own = {
    GLIBC_TUNABLES: 'glibc.malloc.check=3',
    DUCKDB_JE_MALLOC_CONF: '',
    UV_THREADPOOL_SIZE: '7',
  }
  expect(pipelineEnvironment(own)).toEqual({ ...own, TZ: 'UTC' })
})

/** What the engine's allocator complains of as a process opens a database. */
function complaintsOf(env: NodeJS.ProcessEnv): string {
  const open = "import('@duckdb/node-api').then(duck => duck.DuckDBInstance.create(':memory:'))"
  const { status, stderr } = spawnSync(process.execPath, ['-e', open], {
    cwd: import.meta.dirname,
    env,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  return stderr
}

// elsewhere the engine comes without jemalloc
test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'the allocator of the engine reads its settings and knows them all',
  () => {
    expect(complaintsOf(pipelineEnvironment(process.env))).toBe('')
    const unknown = pipelineEnvironment({ ...process.env, DUCKDB_JE_MALLOC_CONF: 'nothing:1' })
    expect(complaintsOf(unknown)).toMatch(/jemalloc.*nothing:1/)
  },
)

test.each([
  [{}, 'http://127.0.0.1:8080'],
  [{ TAPEFOLD_HOST: '0.0.0.0', TAPEFOLD_PORT: '9000' }, 'http://127.0.0.1:9000'],
  [{ TAPEFOLD_HOST: '::' }, 'http://127.0.0.1:8080'],
  [{ TAPEFOLD_HOST: '::1' }, 'http://[::1]:8080'],
  [{ TAPEFOLD_HOST: '192.0.2.7' }, 'http://192.0.2.7:8080'],
  [{ TAPEFOLD_PUBLIC_URL: 'https://tapefold.example/' }, 'https://tapefold.example'],
  [{ TAPEFOLD_PUBLIC_URL: 'https://tapefold.example:8443' }, 'https://tapefold.example:8443'],
] as [Record<string, string>, string][])('with %j the pages are at %s', (environment, url) => {
  expect(siteUrlOf(readConfig(environment))).toBe(url)
})

test.each(['tapefold.example', 'ftp://tapefold.example', ''])('"%s" is no address', address => {
  expect(() => readConfig({ TAPEFOLD_PUBLIC_URL: address })).toThrow(
    'give an address such as https://tapefold.example',
  )
})

test('exceptions of webhooks are hosts with their ports, as they are compared', () => {
  expect(readConfig({}).webhookAllowed).toEqual([])
  const set = { TAPEFOLD_WEBHOOK_ALLOW: 'Hooks.lan:8443, 127.1:443,[::1]:9443' }
  expect(readConfig(set).webhookAllowed).toEqual(['hooks.lan:8443', '127.0.0.1:443', '::1:9443'])
  for (const text of ['hooks.lan', 'https://hooks.lan:443', '169.254.169.254:443', ',']) {
    expect(() => readConfig({ TAPEFOLD_WEBHOOK_ALLOW: text })).toThrow(
      `TAPEFOLD_WEBHOOK_ALLOW is ${JSON.stringify(text)}; give hosts with their ports, ` +
        'never link-local ones, such as hooks.lan:8443,10.0.0.7:443',
    )
  }
})

test('a key of secrets has 32 bytes, and no message repeats one', () => {
  const bytes = Buffer.alloc(32, 7)
  for (const text of [bytes.toString('base64'), bytes.toString('hex')]) {
    expect(readConfig({ TAPEFOLD_SECRET_KEY: text }).secretKey).toEqual(bytes)
  }
  for (const text of ['', 'short', Buffer.alloc(31, 7).toString('base64'), 'x'.repeat(44)]) {
    expect(() => readConfig({ TAPEFOLD_SECRET_KEY: text })).toThrow(
      /^TAPEFOLD_SECRET_KEY is no key; give 32 bytes as base64, such as "openssl rand/,
    )
  }
  expect(() => readConfig({ TAPEFOLD_WEBHOOK_SECRET: '' })).toThrow('is no secret; give one such')
})

const MAIL = {
  TAPEFOLD_SMTP_URL: 'smtps://tapefold:canary%40w%3Aord@mail.example.com',
  TAPEFOLD_MAIL_FROM: 'alerts@example.com',
}
const BOT = 'https://api.telegram.org/bot123:canary-token'

test('mail and a bot are read, with the escapes of a password', () => {
  const { notices } = readConfig({
    ...{ ...MAIL, TAPEFOLD_TELEGRAM_URL: BOT },
    TAPEFOLD_PUBLIC_URL: 'https://tapefold.example',
  })
  expect(notices).toEqual({
    mail: {
      server: {
        ...{ host: 'mail.example.com', port: 465, isSecure: true },
        login: { user: 'tapefold', pass: 'canary@w:ord' },
      },
      from: 'alerts@example.com',
    },
    telegramUrl: `${BOT}/sendMessage`,
    siteUrl: 'https://tapefold.example',
  })
  expect(readConfig({}).notices).toEqual({
    ...{ mail: null, telegramUrl: null, siteUrl: 'http://127.0.0.1:8080' },
  })
})

test.each([
  ['smtp://mail.example.com', { port: 587, isSecure: false, login: null }],
  ['smtp://[::1]:2525/', { host: '::1', port: 2525, isSecure: false }],
  ['smtp://a%20b:c@localhost:25', { host: 'localhost', login: { user: 'a b', pass: 'c' } }],
])('the mail server %s is %j', (url, server) => {
  const { notices } = readConfig({ ...MAIL, TAPEFOLD_SMTP_URL: url })
  expect(notices.mail!.server).toMatchObject(server)
})

test.each([
  [{ TAPEFOLD_SMTP_URL: 'mail.example.com' }],
  [{ TAPEFOLD_SMTP_URL: 'https://u:canary@mail.example.com' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://u:canary@mail.example.com/?tls=off' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://u:canary@mail.example.com/path' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://u:canary@mail.example.com:0' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://u:canary%zz@mail.example.com' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://u:canary%0d%0a@mail.example.com' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://:canary@mail.example.com' }],
  [{ TAPEFOLD_SMTP_URL: 'smtps://canary@mail.example.com' }],
  [{ TAPEFOLD_MAIL_FROM: 'Tapefold <alerts@example.com>' }],
  [{ TAPEFOLD_MAIL_FROM: 'alerts@example.com\r\nBcc: x@example.com' }],
  [{ TAPEFOLD_TELEGRAM_URL: 'http://api.telegram.org/bot1:canary' }],
  [{ TAPEFOLD_TELEGRAM_URL: 'https://api.telegram.org/canary' }],
  [{ TAPEFOLD_TELEGRAM_URL: 'https://api.telegram.org/bot1:canary?x=1' }],
] as Record<string, string>[][])('%j is refused with what to give, and no secret', settings => {
  const read = () => readConfig({ ...MAIL, ...settings })
  expect(read).toThrow(new RegExp(`^${Object.keys(settings!)[0]} is .*; give `, 's'))
  expect(read).not.toThrow(/canary/)
})

test.each(['TAPEFOLD_SMTP_URL', 'TAPEFOLD_MAIL_FROM'])('%s alone is refused', name => {
  const other = Object.keys(MAIL).find(one => one !== name)!
  expect(() => readConfig({ [name]: MAIL[name as keyof typeof MAIL] })).toThrow(
    `${other} is not set, and ${name} is; set both, or neither.`,
  )
})
