// `account contact`: what it does, what it says, and what it refuses.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { perform } from '../../src/cli/perform.ts'
import { readConfig } from '../../src/platform/config.ts'
import { NO_NOTICES } from '../../src/platform/notices/notices.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'

let folder: string
let accounts: ServerStore
let smtp: TestSmtp
let printed: string[]
let id: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-contacts-'))
  accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  smtp = await startSmtp()
  printed = []
  id = (await accounts.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })).id
})
afterEach(async () => {
  await smtp.close()
  await accounts.close()
  rmSync(folder, { recursive: true, force: true })
})

async function contact(...args: string[]): Promise<string[]> {
  printed = []
  const mail = { server: smtp.server(), from: 'alerts@tapefold.example', trusted: smtp.trusted }
  await perform(['account', 'contact', ...args], {
    config: { ...readConfig({}), notices: { ...NO_NOTICES, mail } },
    openAccounts: async () => ({ ...accounts, close: async () => {} }),
    nowMs: () => 1e12,
    print: line => void printed.push(line),
    findSiteUrl: async () => 'https://tapefold.example',
  })
  return printed
}

test('a contact is added, proven, listed, switched and removed', async () => {
  const added = await contact('add', id, 'email', 'desk@example.com')
  const [contactId] = added[0]!.split(' ') as [string]
  expect(added).toEqual([
    `${contactId}  email     desk@example.com  not proven  alerts on`,
    'A code was sent there. It works once, for 15 minutes:',
    `tapefold account contact prove ${id} ${contactId} CODE`,
  ])
  const code = /^[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(smtp.mails[0]!.text)![0]
  const wrong = contact('prove', id, contactId, 'AAAAA-AAAAA')
  await expect(wrong).rejects.toThrow(/^this is not the code that was sent there/)
  const proven = `${contactId}  email     desk@example.com  proven  alerts on`
  expect(await contact('prove', id, contactId, code)).toEqual([proven])
  expect(await contact('list', id)).toEqual([proven])
  const off = `${contactId}  email     desk@example.com  proven  alerts off`
  expect(await contact('alerts', id, contactId, 'off')).toEqual([off])
  expect(await contact('list', id)).toEqual([off])
  await accounts.outbox.unproveContact(contactId, 'the chat is gone')
  expect(await contact('list', id)).toEqual([
    off.replace('proven', 'not proven (the chat is gone)'),
  ])
  expect(await contact('remove', id, contactId)).toEqual([`${contactId} is removed`])
  expect(await contact('list', id)).toEqual([])
})

test('with --no-alerts it is for positions alone', async () => {
  await contact('add', id, 'email', 'desk@example.com', '--no-alerts')
  expect(printed[0]).toMatch(/alerts off$/)
})

test.each([
  [['add', 'ID', 'fax', '1'], 'the contact is "fax"; give email or telegram'],
  [['add', 'ID', 'email', 'desk'], 'the address is "desk"; give one plain address'],
  [['add', 'ID', 'telegram', '1'], 'this server sends no Telegram messages: TAPEFOLD_TELEGRAM_URL'],
  [['add', 'acc_none', 'email', 'a@b.example'], 'account acc_none does not exist'],
  [['prove', 'ID', 'con_none', 'x'], 'has no contact con_none; `account contact list'],
  [['remove', 'ID', 'con_none'], 'has no contact con_none'],
  [['alerts', 'ID', 'con_none', 'maybe'], 'alerts are "maybe"; give on or off'],
])('%j is refused', async (args, sentence) => {
  const given = args.map(arg => (arg === 'ID' ? id : arg))
  await expect(contact(...given)).rejects.toThrow(sentence)
  expect(smtp.mails).toEqual([])
})

test('a contact of another account is not there', async () => {
  const [line] = await contact('add', id, 'email', 'desk@example.com')
  const [contactId] = line!.split(' ') as [string]
  const other = (await accounts.addAccount({ name: 'other', plan: null, createdAtMs: 1 })).id
  for (const args of [['remove'], ['alerts', 'off'], ['prove', 'x']]) {
    const [verb, ...rest] = args as [string, ...string[]]
    const pending = contact(verb, other, contactId, ...rest)
    await expect(pending).rejects.toThrow(`${other} has no contact ${contactId}`)
  }
  expect(await contact('list', id)).toHaveLength(1)
})
