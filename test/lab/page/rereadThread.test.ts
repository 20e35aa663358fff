// Reading a thread again gives the original replies, wherever it is opened.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chat, thread } from '../../../src/lab/ask.ts'
import { openMessageAdmission } from '../../../src/lab/messageAdmission.ts'
import { countExchanges, rereadExchanges } from '../../../src/lab/page/rereadThread.ts'
import type { ChatReply } from '../../../src/lab/schema.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'

let folder: string
let accounts: ServerStore
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-retell-'))
  accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
})
afterAll(async () => {
  await accounts.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Talks of the corpus: blocks of messages, each after `>`. */
const TALKS = readFileSync('test/lab/corpus/threads.txt', 'utf8')
  .split('\n\n')
  .map(block => block.split('\n').flatMap(line => (line.startsWith('> ') ? [line.slice(2)] : [])))
  .filter(talk => talk.length > 1)

const acquire = async () => {}

async function findTalk(messages: readonly string[]) {
  const { id: accountId } = await accounts.addAccount({ name: 'a', plan: 'lab', createdAtMs: 1 })
  const nowMs = () => 1_000
  const deps = { accounts, nowMs, admission: openMessageAdmission(accounts, nowMs) }
  const requester = { accountId, monthlyCredits: 30 }
  const responses: ChatReply[] = []
  let id: string | undefined
  for (const message of messages) {
    const response = await chat(deps, requester, { message, ...(id ? { id } : {}) })
    const stored = response.kind === 'spec' ? response.idea.id : response.id
    // a message that begins no idea is not stored
    if (stored === undefined) continue
    id = stored
    responses.push(response)
  }
  return { answers: responses, messages: id ? (await thread(deps, requester, id)).messages : [] }
}

function findReported(response: ChatReply) {
  const rule = response.kind === 'chat' ? response.proposal : response
  return {
    read: response.read,
    unread: response.kind === 'spec' ? [] : response.unread,
    assumptions: rule && 'assumptions' in rule ? rule.assumptions : [],
    changed: rule && 'changed' in rule ? rule.changed : [],
    missing: response.kind === 'chat' ? response.missing : [],
  }
}

test(`${TALKS.length} threads read again give the original replies, from any message`, async () => {
  expect(TALKS.length).toBeGreaterThan(20)
  for (const talk of TALKS) {
    const { answers: responses, messages } = await findTalk([
      ...talk,
      'undo',
      'no stop',
      'undo',
      'undo',
    ])
    expect(countExchanges(messages)).toBe(responses.length)
    for (const from of [0, 1, Math.ceil(responses.length / 2), responses.length - 1]) {
      const again = await rereadExchanges(messages, from, { acquire })
      expect(again.map(({ reread }) => reread)).toEqual(responses.slice(from).map(findReported))
      expect(again.map(({ lab }) => lab.text)).toEqual(responses.slice(from).map(({ say }) => say))
    }
  }
})

test('a reply of other code has no marks, and the next rule has them again', async () => {
  const { messages } = await findTalk([
    'sell the 10 wide put spread at 10',
    '30',
    'make it 15 wide',
  ])
  const older = messages.map(message => (message.n === 2 ? { ...message, text: 'Hm?' } : message))
  const [requested, responded, changed] = await rereadExchanges(older, 0, { acquire })
  expect([requested!.reread, responded!.reread]).toEqual([null, null])
  expect(changed!.reread).toMatchObject({ changed: [{ field: 'width', from: '10', to: '15' }] })
})

test('far behind the last rule nothing is guessed', async () => {
  const questions = Array.from({ length: 30 }, () => 'hello')
  const { messages } = await findTalk(['sell the put spread', ...questions, '10 wide at 10:00'])
  expect((await rereadExchanges(messages, 31, { acquire }))[0]!.reread).toBeNull()
  expect((await rereadExchanges(messages, 5, { acquire }))[0]!.reread).toMatchObject({
    // small talk leaves the question open
    missing: [{ slot: 'strike' }, { slot: 'width' }, { slot: 'entry time' }],
  })
})
