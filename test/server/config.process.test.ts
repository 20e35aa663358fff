import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { pipelineEnvironment } from '../../src/core/pipelineEnvironment.ts'
import { readConfig, SETTINGS, siteUrl } from '../../src/platform/config.ts'

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

const reported = spawnSync('getconf', ['GNU_LIBC_VERSION'], { encoding: 'utf8' }).stdout ?? ''

test.skipIf(reported === '')('the library of the process that starts a pipeline counts', () => {
  const version = /^glibc (\d+\.\d+)/.exec(reported)?.[1] ?? null
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

/** Complaints of the engine's allocator as a process opens a database. */
function listComplaints(env: NodeJS.ProcessEnv): string {
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
    expect(listComplaints(pipelineEnvironment(process.env))).toBe('')
    const unknown = pipelineEnvironment({ ...process.env, DUCKDB_JE_MALLOC_CONF: 'nothing:1' })
    expect(listComplaints(unknown)).toMatch(/jemalloc.*nothing:1/)
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
  expect(siteUrl(readConfig(environment))).toBe(url)
})

test('an address with a path is refused, not cut', () => {
  expect(() => readConfig({ TAPEFOLD_PUBLIC_URL: 'https://desk.example/tapefold' })).toThrow(
    'TAPEFOLD_PUBLIC_URL is "https://desk.example/tapefold"; give an address without a path, ' +
      'such as https://tapefold.example',
  )
  expect(() => readConfig({ TAPEFOLD_PUBLIC_URL: 'https://u:canary@desk.example/' })).toThrow(
    'TAPEFOLD_PUBLIC_URL is "https://…@desk.example/"; give an address without a path',
  )
  // passwords with the delimiters of an address, and one without a scheme
  for (const address of ['https://u:can/ary@h', 'https://u:can@ary@h', 'u:can?ary@h']) {
    expect(() => readConfig({ TAPEFOLD_PUBLIC_URL: address })).toThrow(/…@h"; give an address/)
    expect(() => readConfig({ TAPEFOLD_PUBLIC_URL: address })).not.toThrow(/can|ary/)
  }
  const store = { TAPEFOLD_STORE: 's3://bucket', DATABASE_URL: 'postgresql://h/d' }
  const AWS_ENDPOINT_URL = 'https://u:canary@s3.example'
  expect(() => readConfig({ ...store, TAPEFOLD_SECRET_KEY: KEY, AWS_ENDPOINT_URL })).toThrow(
    /^the address of AWS_ENDPOINT_URL has a login in it; give the address alone, and the keys as/,
  )
})

const KEY = Buffer.alloc(32, 7).toString('base64')
const ON_OFF = { good: ['on', 'off'], bad: ['', 'ON', 'on ', 'true', '1'] }
const PORTS = { good: ['0', '80', '65535'], bad: ['', ' 80', '80 ', '080', '65536', '8e1', '+80'] }
const COUNTS = { good: ['1', '999999'], bad: ['', '0', '-1', '1.5', '12x', ' 1', '1e3', '01'] }
const SECONDS = { good: ['0.1', '20', '7.25'], bad: ['', '0', '20s', ' 20', '20 ', '-1', '1e1'] }

/** Texts of each setting that are taken whole, and texts of which only a part could be used. */
const TEXTS: Record<string, { readonly good: string[]; readonly bad: string[] }> = {
  TAPEFOLD_DATA: { good: ['data', '/srv/my data'], bad: ['', ' ', 'data ', ' data', 'data\n'] },
  TAPEFOLD_PORT: PORTS,
  TAPEFOLD_HOST: {
    good: ['127.0.0.1', '0.0.0.0', '::', '::1', '[::1]', 'localhost', 'a-b.example'],
    bad: ['', ' ', 'localhost ', 'localhost:80', '127.0.0.1:80', '[::1]:80', 'http://a', 'a/b'],
  },
  TAPEFOLD_LOG: { good: ['info', 'silent'], bad: ['', 'INFO', 'info ', 'trace'] },
  TAPEFOLD_PUBLISH_GRACE_MINUTES: { good: ['1', '180', '90.5'], bad: ['', '0', '180m', ' 180'] },
  TAPEFOLD_LIVE: ON_OFF,
  TAPEFOLD_SHARE_PRINTS: ON_OFF,
  TAPEFOLD_PUBLIC_URL: {
    good: ['https://a.example', 'https://a.example/', 'http://127.0.0.1:81', 'https://[::1]:81'],
    bad: [
      '',
      'a.example',
      'ftp://a.example',
      'https://',
      'https:a.example',
      'https://a b.example',
      'https://a.example/x',
      'https://a.example//',
      'https://a.example/x/../',
      'https://a.example?',
      'https://a.example/?x=1',
      'https://a.example#',
      'https://a.example/#x',
      'https://canary@a.example',
      'https://u:canary@a.example/',
      'https://a.example:0',
      ' https://a.example',
      'https://a.example ',
      'https://a.exa\nmple',
      'https://a.example\\x',
    ],
  },
  TAPEFOLD_HSTS_SUBDOMAINS: ON_OFF,
  TAPEFOLD_OAUTH_ISSUER: {
    good: ['https://login.example', 'https://login.example/tenant/', 'https://login.example:8443'],
    bad: [
      '',
      'login.example',
      'http://login.example',
      'https://login.example?x=1',
      'https://login.example/#x',
      'https://u:canary@login.example',
      ' https://login.example',
    ],
  },
  TAPEFOLD_TRUST_PROXY: {
    good: ['off', '1', '16', '10.0.0.0/8, 2001:db8::/32', '10.0.0.7', '10.1.2.3/32'],
    bad: ['', ',', '10.0.0.0/8,', '0', '17', 'true', '10.0.0.0/33', '10.1.2.3/8', '2001:db8::1/32'],
  },
  TAPEFOLD_CONNECTIONS: COUNTS,
  TAPEFOLD_CONNECTIONS_OF_ADDRESS: COUNTS,
  TAPEFOLD_HEAD_SECONDS: SECONDS,
  TAPEFOLD_REQUEST_SECONDS: SECONDS,
  TAPEFOLD_ANSWER_SECONDS: SECONDS,
  TAPEFOLD_IDLE_SECONDS: SECONDS,
  TAPEFOLD_METRICS_PORT: PORTS,
  TAPEFOLD_WEBHOOK_ALLOW: {
    good: ['', 'hooks.lan:8443', 'hooks.lan:8443, 10.0.0.7:443'],
    bad: ['hooks.lan', 'hooks.lan:8443/x', 'hooks.lan:8443,', 'u@hooks.lan:8443', 'https://a:443'],
  },
  TAPEFOLD_SECRET_KEY: { good: [KEY], bad: ['', `${KEY}\n`, ` ${KEY}`, `${KEY}x`, KEY.slice(1)] },
  TAPEFOLD_WEBHOOK_SECRET: {
    good: ['whsec_abc'],
    bad: ['', 'whsec_canary ', ' canary', 'canary\n'],
  },
  TAPEFOLD_SMTP_URL: {
    good: ['smtp://mail.example', 'smtps://u:p%40ss@mail.example:465/'],
    bad: [
      'smtps://u:canary@mail.example/x',
      'smtps://u:canary@mail.example?',
      'smtps://u:ca#nary@a.b',
      ' smtp://mail.example',
      'smtp://mail.example\n',
      'smtp://mail.example/#',
    ],
  },
  TAPEFOLD_MAIL_FROM: { good: ['a@b.example'], bad: ['', 'a@b.example ', 'A <a@b.example>'] },
  TAPEFOLD_TELEGRAM_URL: {
    good: ['https://api.telegram.org/bot1:a', 'http://127.0.0.1:81/bot1:a/sendMessage'],
    bad: [
      'https://api.telegram.org/bot1:canary?',
      'https://api.telegram.org/bot1:canary#',
      ' https://api.telegram.org/bot1:canary',
      'https://api.telegram.org/bot1:ca\nnary',
    ],
  },
  TAPEFOLD_STORE: {
    good: ['s3://bucket', 's3://bucket/one/two/'],
    bad: ['', 's3://', 's3://key:canary@bucket', 'https://bucket/canary', 's3://b/../canary'],
  },
  TAPEFOLD_CACHE_GB: { good: ['1', '0.5', '2000'], bad: ['', '0', '-1', '1e3', '1,5', '0.0001'] },
  TAPEFOLD_MODEL_URL: {
    good: ['http://127.0.0.1:11434/v1', 'https://models.example/v1/'],
    bad: ['', 'models.example', 'https://u:canary@models.example', 'https://m.example/?key=canary'],
  },
  TAPEFOLD_MODEL_NAME: { good: ['qwen3:8b', 'org/model'], bad: ['', 'a b'] },
  TAPEFOLD_MODEL_KEY: { good: ['sk-1'], bad: ['', 'canary key'] },
  DATABASE_URL: {
    good: ['postgresql://u:p%23@host/db', 'postgres:///db?host=/run/pg'],
    bad: [
      '',
      'mysql://a/b',
      'postgresql://',
      'postgresql://u:ca#nary@h/d',
      'postgresql://h/canary ',
    ],
  },
}

test('there are texts for every setting', () => {
  expect(Object.keys(TEXTS)).toEqual(SETTINGS)
})

test.each(SETTINGS)('%s is taken whole or refused with its name and what to give', name => {
  const { good, bad } = TEXTS[name]!
  const others = name in MAIL ? MAIL : name.includes('MODEL') ? MODEL : DATABASE
  for (const text of good) {
    expect(() => readConfig({ ...others, [name]: text }), text).not.toThrow()
  }
  for (const text of bad) {
    const read = () => readConfig({ ...others, [name]: text })
    expect(read, text).toThrow(new RegExp(`^${name} is .*; .*give `))
    expect(read, text).not.toThrow(/canary/)
  }
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

const DATABASE = { DATABASE_URL: 'postgresql://host/db' }

test('a store needs a database, and has its addresses in the form of its endpoint', () => {
  const store = { ...DATABASE, TAPEFOLD_STORE: 's3://bucket/main', TAPEFOLD_CACHE_GB: '1.5' }
  expect(() => readConfig({ TAPEFOLD_STORE: 's3://bucket' })).toThrow(
    'TAPEFOLD_STORE is set, and DATABASE_URL is not; set both, or neither.',
  )
  expect(readConfig(DATABASE).store).toBeNull()
  const address = { bucket: 'bucket', prefix: 'main/' }
  const settings = { address, isPathStyle: false, cacheBytes: 1.5e9 }
  expect(readConfig(store).store).toEqual(settings)
  const endpoint = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' }
  expect(readConfig({ ...store, ...endpoint }).store).toEqual({ ...settings, isPathStyle: true })
})

const MAIL = {
  TAPEFOLD_SMTP_URL: 'smtps://tapefold:canary%40w%3Aord@mail.example.com',
  TAPEFOLD_MAIL_FROM: 'alerts@example.com',
}
const MODEL = { TAPEFOLD_MODEL_URL: 'http://127.0.0.1:1/v1', TAPEFOLD_MODEL_NAME: 'm' }
const BOT = 'https://api.telegram.org/bot123:canary-token'

test('mail and a bot are read, with the escapes of a password', () => {
  const { notices } = readConfig({
    ...MAIL,
    TAPEFOLD_TELEGRAM_URL: BOT,
    TAPEFOLD_PUBLIC_URL: 'https://tapefold.example',
  })
  expect(notices).toEqual({
    mail: {
      server: {
        host: 'mail.example.com',
        port: 465,
        isSecure: true,
        login: { user: 'tapefold', pass: 'canary@w:ord' },
      },
      from: 'alerts@example.com',
    },
    telegramUrl: `${BOT}/sendMessage`,
    siteUrl: 'https://tapefold.example',
  })
  expect(readConfig({}).notices).toEqual({
    mail: null,
    telegramUrl: null,
    siteUrl: 'http://127.0.0.1:8080',
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

test('a model has an address, a name and perhaps a key; without an address there is none', () => {
  expect(readConfig({}).model).toBeNull()
  expect(readConfig(MODEL).model).toEqual({ url: 'http://127.0.0.1:1/v1', name: 'm', key: null })
  const keyed = { ...MODEL, TAPEFOLD_MODEL_KEY: 'sk-1' }
  expect(readConfig(keyed).model).toMatchObject({ key: 'sk-1' })
  expect(() => readConfig({ TAPEFOLD_MODEL_URL: 'http://127.0.0.1:1/v1' })).toThrow(
    'TAPEFOLD_MODEL_NAME is not set, and TAPEFOLD_MODEL_URL is; set both, or neither.',
  )
})

test.each(['TAPEFOLD_SMTP_URL', 'TAPEFOLD_MAIL_FROM'])('%s alone is refused', name => {
  const other = Object.keys(MAIL).find(one => one !== name)!
  expect(() => readConfig({ [name]: MAIL[name as keyof typeof MAIL] })).toThrow(
    `${other} is not set, and ${name} is; set both, or neither.`,
  )
})
