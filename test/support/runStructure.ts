// `npm run structure [FOLDER]`: the house in numbers; with a folder, what imports it from outside.

import { findUncheckedHeaders, readSqlFiles } from './sqlHeaders.ts'
import { FLOORS, listImporters, readStructure } from './structure.ts'

const structure = readStructure()
const { files, folders, circles, upwardImports, longFunctions, longFiles } = structure
const line = (name: string, found: readonly string[]) =>
  [`${name}: ${found.length}`, ...found.map(each => `  ${each}`)].join('\n')
const arrows = upwardImports.map(({ from, to }) => `${from} -> ${to}`)

const lines = [
  ...FLOORS.map((folders, index) => `floor ${index + 1}: ${folders.join(', ')}`),
  `files: ${files.length}`,
  `folders: ${folders.length}`,
  line(
    'circles',
    circles.map(circle => circle.join(', ')),
  ),
  line('upward imports', arrows),
  line('functions over 70 lines', longFunctions),
  line('files over 300 lines', longFiles),
  line('unchecked SQL headers', await findUncheckedHeaders(readSqlFiles())),
]
const [folder] = process.argv.slice(2)
if (folder !== undefined) {
  const importers = listImporters(structure, folder)
  lines.push(
    line(
      `imports of ${folder}`,
      importers.map(({ from, to }) => `${from} -> ${to}`),
    ),
  )
}
process.stdout.write(`${lines.join('\n')}\n`)
