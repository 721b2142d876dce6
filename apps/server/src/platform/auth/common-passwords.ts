import { PRODUCT_NAME } from '@callout/domain/product/product';
import { createInvalidInputFailure } from '../errors/failures.ts';

/** The most common passwords of at least 6 characters, in lower case. Checked on the server to keep them out of the web bundle. */
const COMMON_PASSWORDS = new Set(
  `
  123456 1234567 12345678 123456789 1234567890 12345678910 0123456 01234567 0123456789 012345 123456a 123456b 123456q a123456 a12345678
  a123456789 aa123456 aa12345678 q123456 w123456 654321 7654321 87654321 987654321 9876543210 098765 0987654321 111111 1111111 11111111
  111111111 1111111111 000000 0000000 00000000 000000000 0000000000 222222 22222222 333333 33333333 444444 44444444 555555 5555555
  55555555 666666 66666666 777777 7777777 77777777 888888 88888888 999999 99999999 123123 123123123 123321 1234321 112233 11223344
  1122334455 121212 12121212 101010 131313 141414 151515 232323 123654 123654789 147258 147258369 159357 159753 147852 258456 321654
  789456 789456123 741852 741852963 963852741 852456 456789 135790 135792 246810 102030 10203040 010203 123789 12341234 1234512345
  520520 5201314 1314520 696969 007007 420420 110110 100200 abc123 abc1234 abc12345 abc123456 abcd123 abcd1234 abcde123 abcdef abcdefg
  abcdefgh abcabc a1b2c3 a1b2c3d4 1a2b3c 1a2b3c4d 123abc 1234abcd 123qwe 1234qwer 12345qwert 123qweasd 123asd 12qwaszx qwe123 qwer1234
  qwert123 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyu qwertyui qwertyuiop qwertz qwertzuiop qwe123456 qwaszx
  qweqwe qweasd qweasdzxc qwert12345 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3 q1w2e3r4 q1w2e3r4t5
  qazwsx qazwsx123 qazwsxedc zaq12wsx zaq1zaq1 !qaz2wsx asdasd asdasd123 asdfgh asdfghj asdfghjk asdfghjkl asdf1234 asdfasdf asd123
  zxcvbn zxcvbnm zxcvbnm123 zxc123 azerty azerty123 azertyuiop mnbvcxz poiuyt poiuytrewq lkjhgf ytrewq aaaaaa aaaaaaa aaaaaaaa bbbbbb
  cccccc dddddd ffffff gggggg hhhhhh jjjjjj kkkkkk llllll mmmmmm nnnnnn pppppp qqqqqq ssssss tttttt wwwwww xxxxxx xxxxxxxx zzzzzz
  password passwords password1 password12 password123 password1234 password12345 password! password1! password@123 passw0rd passw0rd1
  p@ssw0rd p@ssword p@ssword1 pa55word pa$$word pa$$w0rd pass123 pass1234 pass12345 passwort passwort1 motdepasse contrasena senha123
  wachtwoord parola mypassword newpassword nopassword passpass passphrase secret secret1 secret123 topsecret letmein letmein1 letmein123
  opensesame sesame changeme changeme1 changeme123 change123 default default1 temp123 temp1234 temporary guest123 welcome welcome1
  welcome12 welcome123 welcome1234 welcome! welkom01 welkom123 willkommen hello123 hello1234 hellohello hallo123 hola123 bonjour
  admin1 admin12 admin123 admin1234 admin12345 admin@123 administrator adminadmin adminpass root123 rootroot toor123 user123 username
  user1234 test123 test1234 test12345 testing testing1 testing123 testtest tester demo123 demo1234 sample login123 login1234 access
  access14 master master1 master123 superuser manager office office123 company company1 business service support internet computer
  computer1 samsung samsung1 google google123 facebook microsoft windows apple123 iphone android hotmail yahoo123 gmail123 minecraft
  pokemon pokemon1 naruto nintendo playstation fortnite roblox counter starwars starwars1 startrek matrix batman batman1 superman
  superman1 spiderman ironman avengers godzilla gandalf harrypotter hogwarts trustno1 whatever whatever1 nothing blahblah fuckyou
  fuckyou1 fuckyou2 fuckoff asshole bullshit iloveyou iloveyou1 iloveyou2 iloveyou12 ilovegod iloveu loveyou loveme lovelove love123
  lovely lovers mylove babygirl babygirl1 babydoll sweetheart princess princess1 queenbee prince angels angel123 angel1 heaven jesus1
  jesus123 jesuschrist christ godisgood blessed blessing football football1 footbal soccer soccer1 baseball baseball1 basketball hockey
  rugby123 allblacks warriors crusaders cricket tennis golfer liverpool liverpool1 arsenal arsenal1 chelsea chelsea1 manchester manutd
  barcelona realmadrid juventus yankees lakers cowboys steelers dragon dragon1 dragon123 monkey monkey1 monkey123 tigger tiger123 tigers
  kitten kitty123 puppies doggie rabbit hamster dolphin dolphins elephant penguin unicorn butterfly buster bailey maggie ginger shadow
  shadow1 pepper smokey coffee cookie cookies chocolate banana cheese chicken peanut pumpkin orange purple yellow silver golden diamond
  sunshine sunshine1 rainbow flower flowers summer summer1 summer123 summer2023 summer2024 summer2025 summer2026 winter winter1 winter123
  winter2024 winter2025 spring autumn january february october november december monday friday sunday freedom freedom1 forever family
  friends friend happy123 happiness success lucky123 lucky7 money123 million winner champion killer killer1 hunter hunter1 hunter2 ranger
  ranger1 soldier warrior ninja123 phoenix thunder lightning mercury jupiter saturn galaxy mustang mustang1 ferrari porsche mercedes
  corvette toyota holden ford123 harley harley1 yamaha suzuki kawasaki honda123 michael michael1 michelle jessica jessica1 jennifer
  ashley ashley1 amanda nicole daniel daniel1 andrew andrew1 anthony joshua matthew thomas thomas1 robert robert1 william jordan jordan1
  jordan23 charlie charlie1 george martin taylor samantha hannah sophie oliver alexander alexandra nathan austin brandon justin patrick
  richard steven victoria elizabeth melissa stephanie heather sydney auckland wellington newzealand kiwikiwi aotearoa australia melbourne
  brisbane england london scotland ireland canada america newyork texas1 plumber plumber1 plumbing electric electrician builder builder1
  cleaner carpenter tradie toolbox hammer
  `
    .trim()
    .split(/\s+/),
);

const TOO_COMMON_MESSAGE = 'This password is too common. Please choose another one.';
const TOO_EASY_MESSAGE = 'This password is too easy to guess. Please choose another one.';

/** Returns an error message if the password is common, or is the email, its local part or the product name, even with digits appended. */
export function findPasswordProblem(password: string, email: string): string | undefined {
  const typed = password.toLowerCase();
  if (COMMON_PASSWORDS.has(typed)) return TOO_COMMON_MESSAGE;
  const [name = ''] = email.toLowerCase().split('@', 1);
  const guessable = new Set([name, email.toLowerCase(), PRODUCT_NAME.toLowerCase()]);
  return guessable.has(typed) || guessable.has(typed.replace(/[\d!]{1,5}$/, '')) ? TOO_EASY_MESSAGE : undefined;
}

/** Throws INVALID_INPUT for the given field if the password is too easy to guess. */
export function requireUncommonPassword(field: 'password' | 'new_password', password: string, email: string): void {
  const problem = findPasswordProblem(password, email);
  if (problem !== undefined) throw createInvalidInputFailure({ [field]: problem });
}
