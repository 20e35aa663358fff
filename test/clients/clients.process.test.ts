// The client in Python on a real server: its own tests, its installation, and the notebooks.

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
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

/** Python that runs notebooks. */
const notebookPython = findPython([
  'nbclient',
  'nbformat',
  'ipykernel',
  'matplotlib',
  'numpy',
  'pandas',
  'httpx',
])

const NOTEBOOKS = globSync('examples/notebooks/*.ipynb').sort()

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

test('there are six notebooks, and none has stored results', () => {
  expect(NOTEBOOKS).toHaveLength(6)
  for (const file of NOTEBOOKS) {
    const { cells } = JSON.parse(readFileSync(file, 'utf8'))
    const stored = cells.flatMap((cell: { outputs?: object[] }) => cell.outputs ?? [])
    expect(stored, file).toEqual([])
  }
})

test('the README of the examples names every variable of a notebook, with whole paths', () => {
  const readme = readFileSync('examples/README.md', 'utf8')
  for (const file of NOTEBOOKS) {
    const read = readFileSync(file, 'utf8').matchAll(/os\.environ\[\\"(\w+)\\"\]/g)
    const row = readme.split('\n').find(line => line.includes(`](notebooks/${basename(file)})`))
    for (const [, name] of read) expect(row, file).toContain(name)
  }
  const paths = readme.matchAll(/(PYTHONPATH|TAPEFOLD_PROGRAM|TAPEFOLD_DATA_FOLDER)=(\S+)/g)
  const given = [...paths].map(([, name, path]) => [name, path!.startsWith('$PWD/')])
  expect(new Map(given as [string, boolean][])).toEqual(
    new Map([
      ['PYTHONPATH', true],
      ['TAPEFOLD_PROGRAM', true],
      ['TAPEFOLD_DATA_FOLDER', true],
    ]),
  )
})

test.skipIf(notebookPython === null).each(NOTEBOOKS)(
  '%s runs from top to bottom and draws (python3-nbclient, ipykernel, matplotlib)',
  async file => {
    const { code, out, errors } = await runClient(
      [notebookPython!, 'test/clients/runNotebook.py', file],
      { env: environment({ PYTHONPATH: resolve(PYTHON_CLIENT) }) },
    )
    expect([code, code === 0 ? '' : errors]).toEqual([0, ''])
    const { pictures, warnings } = JSON.parse(out.trim().split('\n').at(-1)!)
    expect(warnings).toEqual([])
    expect(pictures).toBeGreaterThan(0)
  },
)

test.skipIf(notebookPython === null)(
  'lab.ipynb runs twice on an account whose conveyor is in use, and spends and drops nothing of it',
  async () => {
    const { api, environment: variables } = server
    const call = async (path: string, body?: object) => {
      const options = { key: variables.TAPEFOLD_LAB_KEY!, method: body ? 'POST' : 'GET' }
      const sent = body ? { body: JSON.stringify(body) } : {}
      return (await api.call(path, { ...options, ...sent })).json
    }
    const message = 'At 10:30 sell the 10-wide call spread 20 points above spot, exit at 15:30.'
    const { idea } = await call('/api/lab/chat', { message })
    expect((await call('/api/lab/run', { id: idea.id, kind: 'backtest' })).idea.stage).toBe(
      'tested',
    )
    const before = await call('/api/lab/state')
    expect(before.conveyor).toBe(idea.id)
    for (let run = 1; run <= 2; run++) {
      const { code, errors } = await runClient(
        [notebookPython!, 'test/clients/runNotebook.py', 'examples/notebooks/lab.ipynb'],
        { env: environment({ PYTHONPATH: resolve(PYTHON_CLIENT) }) },
      )
      expect([run, code, code === 0 ? '' : errors]).toEqual([run, 0, ''])
    }
    expect(await call('/api/lab/state')).toEqual(before)
  },
)
