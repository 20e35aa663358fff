import { testLanguage } from '../../support/languageFuzz.ts'

testLanguage(500)
