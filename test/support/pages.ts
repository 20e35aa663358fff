// Reads README and the pages of docs/ as a reader does: tables, commands, code and links.

import { globSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Every page for people, README first. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md').sort(),
  'data/README.md',
  'examples/README.md',
  'clients/python/README.md',
]

export const readPage = (page: string): string => readFileSync(page, 'utf8')

/** The rows of the table under a heading row, without the rule below it. */
export function tableUnder(page: string, head: string): string[] {
  const lines = readPage(page).split('\n')
  const at = lines.indexOf(head)
  expect(at, `${page} has the table ${head}`).toBeGreaterThan(0)
  const rest = lines.slice(at + 2)
  return rest.slice(
    0,
    rest.findIndex(line => !line.startsWith('|')),
  )
}

/** The code blocks of one language, in the order of the page. */
export const listBlocks = (page: string, language: string): string[] =>
  [...readPage(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    match => match[1]!,
  )

/** The shell commands of a text, without remarks; a line that is not done goes on in the next. */
export const listCommands = (text: string): string[] =>
  text
    .replace(/ +#.*$/gm, '')
    .split(/\n(?! )| && /)
    .map(line => line.trim())
    .filter(line => line !== '')

/** Headings as the anchors that links name, as GitHub makes them. */
export const listAnchors = (page: string): string[] =>
  [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(match =>
    match[1]!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
