// `npm run touched [COMMIT]`: the tests of what has changed since a commit (the last one), and of
// what is not committed. The deep ones are left to `npm run test:deep`.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { touchedBy } from './touched.ts'

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const [since = 'HEAD'] = process.argv.slice(2)
const changed = [
  ...git('diff', '--name-only', since),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter(file => existsSync(file))
const tests = globSync('test/**/*.test.ts').map(file => [file, readFileSync(file, 'utf8')] as const)
const touched = touchedBy(changed, new Map(tests))

if (changed.length === 0) {
  process.stdout.write(`nothing has changed since ${since}.\n`)
} else {
  const projects = ['unit', 'sql', 'process'].map(project => `--project=${project}`)
  const files = [...touched.sources, ...touched.tests]
  const { status } = spawnSync(
    'vitest',
    ['related', '--run', '--passWithNoTests', ...projects, ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, TZ: 'UTC' },
    },
  )
  process.exitCode = status ?? 1
}
