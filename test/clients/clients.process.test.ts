// The client in Python on a real server: its own tests, and its installation.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ClientServer,
  findPython,
  runClient,
  startClientServer,
} from '../support/clientServer.ts'

const PYTHON_CLIENT = 'clients/python'

/** Python with what the client needs; where it is missing, the tests below are skipped. */
const python = findPython(['pandas', 'httpx'])

/** Python that installs a package without asking an index for what builds it. */
const installer = findPython(['setuptools', 'wheel', 'pip', 'pandas', 'httpx'])

let server: ClientServer
beforeAll(async () => {
  server = await startClientServer()
})
afterAll(() => server.close())

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  PYTHONDONTWRITEBYTECODE: '1',
  ...server.environment,
  ...more,
})

test.skipIf(python === null)(
  'the tests of the client in Python pass (python3-pandas, httpx)',
  async () => {
    const { code, out, errors } = await runClient([python!, '-m', 'unittest', '-v'], {
      cwd: PYTHON_CLIENT,
      env: environment(),
    })
    // what is skipped there is named here
    for (const line of out.split('\n').filter(text => text.startsWith('SKIPPED'))) console.log(line)
    expect([code, code === 0 ? '' : errors]).toEqual([0, ''])
    expect(errors).toMatch(/^Ran [2-9]\d tests/m)
  },
)

test.skipIf(installer === null)('pip installs the client, which then reads a ledger', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-pip-'))
  try {
    // built in a copy: setuptools writes next to the sources
    expect(spawnSync('cp', ['-r', PYTHON_CLIENT, join(folder, 'source')]).status).toBe(0)
    const options = ['--no-build-isolation', '--no-deps', '--no-index', '--quiet']
    const target = ['--target', join(folder, 'installed'), join(folder, 'source')]
    const install = await runClient([installer!, '-m', 'pip', 'install', ...options, ...target], {
      env: environment({ PIP_BREAK_SYSTEM_PACKAGES: '1' }),
    })
    expect([install.code, install.code === 0 ? '' : install.errors]).toEqual([0, ''])
    const program = `import os, tapefold as tf
client = tf.Client(os.environ["TAPEFOLD_URL"], os.environ["TAPEFOLD_ORDERS_KEY"])
print(tf.__file__.startswith(os.environ["PYTHONPATH"]), len(client.orders("2026-10-15")))`
    const { out, errors } = await runClient([installer!, '-c', program], {
      cwd: folder,
      env: environment({ PYTHONPATH: join(folder, 'installed') }),
    })
    const { json } = await server.api.call('/orders/api/day?day=2026-10-15')
    expect([out.trim(), errors]).toEqual([`True ${json.orders.length}`, ''])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
