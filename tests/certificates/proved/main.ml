(* Reads problems from standard input, and says of each whether the proved checker accepts it. Words with blanks between:

     problem FAIR FORM STATES, of each state EDGES and as often TARGET LETTER CARRIES, of each state ENTRIES and as often
     RANK FORMS and as many FORMs, then RANKS and as many MARKs

   LETTER and CARRIES are 0s and 1s behind a `b`; a FORM is in prefix notation: t, f, + N, - N, & F F, | F F, X F, U F F,
   R F F; a MARK is `none`, `promise F F` or `fair N`. *)

open Checker

exception Done

let next_word =
  let word = Buffer.create 64 in
  fun () ->
    Buffer.clear word;
    let rec skip () =
      match input_char stdin with
      | ' ' | '\n' -> skip ()
      | c -> Buffer.add_char word c
      | exception End_of_file -> raise Done
    in
    let rec take () =
      match input_char stdin with
      | ' ' | '\n' -> ()
      | c -> Buffer.add_char word c; take ()
      | exception End_of_file -> ()
    in
    skip (); take (); Buffer.contents word

let number () =
  let n = int_of_string (next_word ()) in
  if n < 0 then failwith "a number below 0" else n

let rec times n one = if n = 0 then [] else let first = one () in first :: times (n - 1) one

let bits () =
  let word = next_word () in
  if word = "" || word.[0] <> 'b' then failwith word;
  List.init (String.length word - 1) (fun i -> match word.[i + 1] with '0' -> false | '1' -> true | _ -> failwith word)

let rec form () =
  let two make = let g = form () in let h = form () in make g h in
  match next_word () with
  | "t" -> Tr
  | "f" -> Fa
  | "+" -> Atom (number (), true)
  | "-" -> Atom (number (), false)
  | "&" -> two (fun g h -> And (g, h))
  | "|" -> two (fun g h -> Or (g, h))
  | "X" -> Next (form ())
  | "U" -> two (fun g h -> Until (g, h))
  | "R" -> two (fun g h -> Release (g, h))
  | word -> failwith word

let edge () =
  let target = number () in
  let label = bits () in
  let carries = bits () in
  { target; label; carries }

let entry () =
  let rank = number () in
  let forms = number () in
  (times forms form, rank)

let mark () =
  match next_word () with
  | "none" -> NoMark
  | "promise" -> let g = form () in let h = form () in Promise (g, h)
  | "fair" -> Fair (number ())
  | word -> failwith word

let problem () =
  if next_word () <> "problem" then failwith "no problem begins here";
  let fair = number () in
  let f = form () in
  let states = number () in
  let system = times states (fun () -> times (number ()) edge) in
  let entries = times states (fun () -> times (number ()) entry) in
  let missing = times (number ()) mark in
  accepts fair system f { entries; missing }

let () =
  try
    while true do
      print_endline (if problem () then "accepted" else "refused")
    done
  with Done -> ()
