// Contacts in a real browser: what axe finds, and that they work without scripts.

import { afterAll, beforeAll, expect } from 'vitest'
import { pageFaults, WINDOWS } from '../support/axe.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { codeIn, type NoticeApi, startNoticeApi } from '../support/noticeApi.ts'
import { newCode } from '../support/visitor.ts'

let notices: NoticeApi

beforeAll(async () => {
  notices = await startNoticeApi()
})
afterAll(() => notices.close())

type Page = Parameters<Parameters<typeof withPage>[2]>[0]

/** Signs in by a code, without what a script could do. */
async function enter(page: Page): Promise<void> {
  const { api } = notices
  api.clock.atMs += 25 * 3_600_000
  await page.goto(`${api.url}/account/enter`)
  await page.getByLabel('Code').fill(await newCode(api))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Contacts' }).waitFor()
}

for (const { colorScheme, width } of WINDOWS) {
  inBrowser(`axe finds nothing in contacts, ${colorScheme} and ${width} wide`, async () => {
    const { api, listContacts } = notices
    const found: string[] = []
    const use = async (page: Page) => {
      const look = async (name: string) => {
        found.push(...(await pageFaults(page, name)))
      }
      await page.goto(`${api.url}/account/enter`)
      await look('the way in')
      await page.getByLabel('Mail address').fill('long.name.of.somebody@mail.tapefold.example')
      await page.getByRole('button', { name: 'Mail a code' }).click()
      await page.getByRole('status').waitFor()
      await look('a mail that was asked for')
      await enter(page)
      await look('no contact')
      await page.getByLabel('Mail address or number').fill(`${width}${colorScheme}@example.com`)
      await page.getByRole('button', { name: 'Send a code', exact: true }).click()
      await page.getByText('A code is on its way').waitFor()
      await look('a contact that is not proven')
      await page.getByLabel('Mail address or number').fill('nothing')
      await page.getByRole('button', { name: 'Send a code', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await look('a refusal')
      const [contact] = await listContacts(api.accountId)
      await api.accounts.outbox.removeContact(api.accountId, contact!.id)
    }
    // a refusal has the status 400, and the browser says so
    const settings = { colorScheme, missing: ['/account/contacts/add'] }
    await withPage(api.url, { width, height: 900 }, use, settings)
    expect(found).toEqual([])
  })
}

inBrowser('without scripts: add, prove, switch and remove a contact', async () => {
  const { api, smtp, listContacts } = notices
  const use = async (page: Page) => {
    await enter(page)
    await page.getByLabel('Mail address or number').fill('desk@example.com')
    await page.locator('select[name=alerts]').selectOption('off')
    await page.getByRole('button', { name: 'Send a code', exact: true }).click()
    await page.getByText('A code is on its way').waitFor()
    await page.getByLabel('Code sent to desk@example.com').fill(codeIn(smtp.mails.at(-1)!.text))
    await page.getByRole('button', { name: 'Prove' }).click()
    await page.getByRole('cell', { name: 'yes' }).waitFor()
    expect(await listContacts(api.accountId)).toMatchObject([
      { isProven: true, isForAlerts: false },
    ])
    await page.getByRole('button', { name: 'Turn on alerts to desk@example.com' }).click()
    await page.getByRole('button', { name: 'Turn off alerts to desk@example.com' }).waitFor()
    expect(await listContacts(api.accountId)).toMatchObject([{ isForAlerts: true }])
    await page.getByRole('button', { name: 'Remove desk@example.com' }).click()
    await page.getByText('There is no contact yet.').waitFor()
    expect(await listContacts(api.accountId)).toEqual([])
  }
  await withPage(api.url, { width: 1280, height: 900 }, use, { javaScriptEnabled: false })
})
