import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../disk/files.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Neither the instruments that measure nor the makers of simulated tapes decide what is built. */
const DECIDING = [
  'sql/{macros,import,tape,fold,surface,book,levels,ledger,positions,live,audit,views}/*.sql',
  'src/{core,data}/*/*.ts',
  'src/orders/*.ts',
  'pipelines/{import,build,live}/*.ts',
  'data/reference/*.csv',
]

/**
 * The product's version and a hash of the code that decides what a build contains. Read again at
 * every call: a scheduler that runs on starts builds of the code that lies there by then.
 */
export function codeVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const files = globSync(DECIDING, { cwd: ROOT }).sort()
  const contents = files.map(file => `${file}\n${readFileSync(join(ROOT, file), 'utf8')}`)
  return `${version}+${sha256(contents.join('\n')).slice(0, 12)}`
}
