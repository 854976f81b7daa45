(* A checker of certificates of formulas, and the proof that what it accepts holds.

   Given: a transition system, listed state by state; a formula of linear temporal logic over the letters of its
   transitions; and a certificate, which lists states of the product with the tableau of the negation, gives each a rank,
   and each rank a mark that no step inside it carries. `accepts` says whether the certificate is a proof. The theorem
   `sound`, at the end, says what that means: every run of the system that is fair to the processes that are named
   satisfies the formula.

   Not proved here: that the listed system is that of the program, and that the formula and the letters are those of its
   text. Classical logic is used (`classic`), and no other axiom. *)

Require Import List Arith Lia Bool Classical.
Import ListNotations.

(* --- Formulas, in negation normal form, and what they say of a word ---------------------------------------------- *)

Inductive form :=
| Tr | Fa
| Atom (n : nat) (b : bool)
| And (f g : form) | Or (f g : form)
| Next (f : form) | Until (f g : form) | Release (f g : form).

Definition form_eq_dec : forall f g : form, {f = g} + {f <> g}.
Proof. decide equality; [apply bool_dec | apply Nat.eq_dec]. Defined.

Definition mem (f : form) (l : list form) : bool := if in_dec form_eq_dec f l then true else false.

Lemma mem_in : forall f l, mem f l = true -> In f l.
Proof. intros f l; unfold mem; destruct (in_dec form_eq_dec f l); [trivial | discriminate]. Qed.

Definition letter := list bool. (* of each atom: is it true? *)
Definition bit (l : letter) (n : nat) : bool := nth n l false.

Fixpoint sat (w : nat -> letter) (f : form) (i : nat) : Prop :=
  match f with
  | Tr => True
  | Fa => False
  | Atom n b => bit (w i) n = b
  | And g h => sat w g i /\ sat w h i
  | Or g h => sat w g i \/ sat w h i
  | Next g => sat w g (S i)
  | Until g h => exists j, i <= j /\ sat w h j /\ forall k, i <= k < j -> sat w g k
  | Release g h => forall j, i <= j -> sat w h j \/ exists k, i <= k < j /\ sat w g k
  end.

Fixpoint neg (f : form) : form :=
  match f with
  | Tr => Fa
  | Fa => Tr
  | Atom n b => Atom n (negb b)
  | And g h => Or (neg g) (neg h)
  | Or g h => And (neg g) (neg h)
  | Next g => Next (neg g)
  | Until g h => Release (neg g) (neg h)
  | Release g h => Until (neg g) (neg h)
  end.

Lemma neg_complete : forall w f i, ~ sat w f i -> sat w (neg f) i.
Proof.
  intros w f; induction f; simpl; intros i H; try tauto.
  - destruct (bit (w i) n), b; simpl; congruence.
  - destruct (classic (sat w f1 i)); [right | left]; auto.
  - split; auto.
  - apply IHf; trivial.
  - intros j Hj. destruct (classic (sat w f2 j)) as [H2 | H2]; [right | left; auto].
    destruct (classic (exists k, i <= k < j /\ sat w (neg f1) k)) as [E | E]; trivial.
    exfalso. apply H. exists j. repeat split; trivial.
    intros k Hk. destruct (classic (sat w f1 k)); trivial.
    exfalso. apply E. exists k. auto.
  - destruct (classic (exists j, i <= j /\ ~ sat w f2 j /\ forall k, i <= k < j -> ~ sat w f1 k)) as [E | E].
    + destruct E as (j & Hj & H2 & H1). exists j. repeat split; auto.
    + exfalso. apply H. intros j Hj. destruct (classic (sat w f2 j)) as [H2 | H2]; [left; trivial | right].
      destruct (classic (exists k, i <= k < j /\ sat w f1 k)); trivial.
      exfalso. apply E. exists j. repeat split; trivial.
      intros k Hk K. apply H0. exists k. auto.
Qed.

Lemma until_now : forall w g h i, sat w (Until g h) i -> ~ sat w h i -> sat w g i /\ sat w (Until g h) (S i).
Proof.
  intros w g h i (j & Hj & Hh & Hg) N.
  assert (i <> j) by (intro; subst; contradiction).
  split; [apply Hg; lia |]. exists j. repeat split; [lia | trivial |]. intros k Hk. apply Hg. lia.
Qed.

Lemma release_now : forall w g h i, sat w (Release g h) i -> sat w h i.
Proof. intros w g h i H. destruct (H i (le_n i)) as [| (k & Hk & _)]; [trivial | lia]. Qed.

Lemma release_next : forall w g h i, sat w (Release g h) i -> ~ sat w g i -> sat w (Release g h) (S i).
Proof.
  intros w g h i H N j Hj. destruct (H j) as [| (k & Hk & G)]; [lia | left; trivial | right].
  exists k. split; trivial. assert (k <> i) by (intro; subst; contradiction). lia.
Qed.

(* --- The tableau: ways to satisfy formulas now, given the letter -------------------------------------------------- *)

Fixpoint size (f : form) : nat :=
  match f with
  | Tr | Fa | Atom _ _ | Next _ => 1
  | And g h | Or g h | Until g h | Release g h => S (size g + size h)
  end.

Fixpoint weight (l : list form) : nat := match l with [] => 0 | f :: r => size f + weight r end.

(* What is left for the next letter, and which promises are put off. *)
Definition way : Type := list form * list form.

Fixpoint expand (fuel : nat) (l : letter) (pending known next off : list form) : list way :=
  match fuel with
  | 0 => []
  | S n =>
    match pending with
    | [] => [(next, off)]
    | f :: rest =>
      if mem f known then expand n l rest known next off else
      let known := f :: known in
      match f with
      | Tr => expand n l rest known next off
      | Fa => []
      | Atom a b => if Bool.eqb (bit l a) b then expand n l rest known next off else []
      | And g h => expand n l (h :: g :: rest) known next off
      | Or g h => expand n l (g :: rest) known next off ++ expand n l (h :: rest) known next off
      | Next g => expand n l rest known (g :: next) off
      | Until g h =>
        expand n l (h :: rest) known next off ++ expand n l (g :: rest) known (f :: next) (f :: off)
      | Release g h =>
        expand n l (h :: g :: rest) known next off ++ expand n l (h :: rest) known (f :: next) off
      end
    end
  end.

(* Promises that are put off in good faith: what they promise is not so now. *)
Definition faithful (w : nat -> letter) (i : nat) (off : list form) : Prop :=
  forall g h, In (Until g h) off -> sat w (Until g h) i /\ ~ sat w h i.

Definition all (w : nat -> letter) (i : nat) (l : list form) : Prop := forall f, In f l -> sat w f i.

Lemma all_cons : forall w i f l, sat w f i -> all w i l -> all w i (f :: l).
Proof. intros w i f l F L g [E | I]; [subst; trivial | auto]. Qed.

Lemma all_head : forall w i f l, all w i (f :: l) -> sat w f i.
Proof. intros w i f l H. apply H. left. trivial. Qed.

Lemma all_tail : forall w i f l, all w i (f :: l) -> all w i l.
Proof. intros w i f l H g I. apply H. right. trivial. Qed.

(* A word that satisfies what is pending has a way through it. *)
Lemma expand_complete : forall w i fuel pending known next off,
  weight pending < fuel -> all w i pending -> all w (S i) next -> faithful w i off ->
  exists nx of, In (nx, of) (expand fuel (w i) pending known next off) /\ all w (S i) nx /\ faithful w i of.
Proof.
  intros w i fuel; induction fuel as [| n IH]; intros pending known next off W P N O; [lia |].
  destruct pending as [| f rest]; simpl; [exists next, off; auto |].
  simpl in W. assert (1 <= size f) by (destruct f; simpl; lia).
  pose proof (all_head _ _ _ _ P) as F. pose proof (all_tail _ _ _ _ P) as R.
  destruct (mem f known); [apply IH; auto; lia |].
  destruct f; simpl in W, F.
  - apply IH; auto; lia.
  - contradiction.
  - rewrite F, eqb_reflx. apply IH; auto; lia.
  - destruct F. apply IH; auto; [simpl; lia | repeat apply all_cons; auto].
  - destruct F as [F | F].
    + destruct (IH (f1 :: rest) (Or f1 f2 :: known) next off) as (nx & o & I & X); auto; [simpl; lia | apply all_cons; auto |].
      exists nx, o. split; [apply in_or_app; left |]; auto.
    + destruct (IH (f2 :: rest) (Or f1 f2 :: known) next off) as (nx & o & I & X); auto; [simpl; lia | apply all_cons; auto |].
      exists nx, o. split; [apply in_or_app; right |]; auto.
  - apply IH; auto; [lia | apply all_cons; auto].
  - destruct (classic (sat w f2 i)) as [Y | Z].
    + destruct (IH (f2 :: rest) (Until f1 f2 :: known) next off) as (nx & o & I & X); auto; [simpl; lia | apply all_cons; auto |].
      exists nx, o. split; [apply in_or_app; left |]; auto.
    + destruct (until_now w f1 f2 i F Z) as [G U].
      destruct (IH (f1 :: rest) (Until f1 f2 :: known) (Until f1 f2 :: next) (Until f1 f2 :: off)) as (nx & o & I & X); auto.
      * simpl; lia.
      * apply all_cons; auto.
      * apply all_cons; auto.
      * intros g h [E | E]; [injection E; intros; subst; auto | apply O; trivial].
      * exists nx, o. split; [apply in_or_app; right |]; auto.
  - pose proof (release_now w f1 f2 i F) as H2.
    destruct (classic (sat w f1 i)) as [Y | Z].
    + destruct (IH (f2 :: f1 :: rest) (Release f1 f2 :: known) next off) as (nx & o & I & X); auto; [simpl; lia | repeat apply all_cons; auto |].
      exists nx, o. split; [apply in_or_app; left |]; auto.
    + pose proof (release_next w f1 f2 i F Z) as U.
      destruct (IH (f2 :: rest) (Release f1 f2 :: known) (Release f1 f2 :: next) off) as (nx & o & I & X); auto.
      * simpl; lia.
      * apply all_cons; auto.
      * apply all_cons; auto.
      * exists nx, o. split; [apply in_or_app; right |]; auto.
Qed.

(* --- Systems, their runs, certificates --------------------------------------------------------------------------- *)

(* `carries`: of each process to be fair to, whether it acts, or cannot, in this step. *)
Record edge := { target : nat; label : letter; carries : list bool }.
Definition system := list (list edge). (* of each state the edges; the first state is the initial one *)

Inductive mark := NoMark | Promise (g h : form) | Fair (k : nat).
Definition entry : Type := list form * nat. (* a state of the tableau, and the rank *)
Record certificate := { entries : list (list entry); missing : list mark }. (* of each state; of each rank *)

Definition included (a b : list form) : bool := forallb (fun f => mem f b) a.

Fixpoint find (s : list form) (l : list entry) : option entry :=
  match l with
  | [] => None
  | x :: r => if included (fst x) s && included s (fst x) then Some x else find s r
  end.

Lemma find_in : forall s l x, find s l = Some x -> In x l /\ forall f, In f (fst x) -> In f s.
Proof.
  intros s l; induction l as [| y r IH]; simpl; [discriminate |].
  intros x. destruct (included (fst y) s) eqn:A; simpl.
  - destruct (included s (fst y)).
    + intro E; injection E; intros; subst. split; [left; trivial |].
      intros f I. apply mem_in. apply (proj1 (forallb_forall _ _) A f I).
    + intro E. destruct (IH x E). split; [right |]; trivial.
  - intro E. destruct (IH x E). split; [right |]; trivial.
Qed.

Definition absent (fair : nat) (m : mark) (e : edge) (off : list form) : bool :=
  match m with
  | NoMark => false
  | Promise g h => mem (Until g h) off
  | Fair k => (k <? fair) && negb (nth k (carries e) false)
  end.

Definition step_ok (fair : nat) (c : certificate) (r : nat) (e : edge) (x : way) : bool :=
  match find (fst x) (nth (target e) (entries c) []) with
  | None => false
  | Some (_, r') => if r' <? r then true else (r' =? r) && absent fair (nth r (missing c) NoMark) e (snd x)
  end.

Definition ways (e : edge) (s : list form) : list way := expand (S (weight s)) (label e) s [] [] [].

Definition entry_ok (fair : nat) (c : certificate) (edges : list edge) (x : entry) : bool :=
  forallb (fun e => forallb (step_ok fair c (snd x) e) (ways e (fst x))) edges.

Fixpoint rows_ok (fair : nat) (c : certificate) (sys : system) (rows : list (list entry)) : bool :=
  match sys, rows with
  | [], [] => true
  | edges :: s, row :: r => forallb (entry_ok fair c edges) row && rows_ok fair c s r
  | _, _ => false
  end.

Lemma rows_ok_at : forall fair c sys rows, rows_ok fair c sys rows = true ->
  forall n x, In x (nth n rows []) -> entry_ok fair c (nth n sys []) x = true.
Proof.
  intros fair c sys; induction sys as [| edges s IH]; intros [| row r]; simpl; try discriminate; intros H n x I.
  - destruct n; contradiction.
  - apply andb_prop in H. destruct H as [A B]. destruct n; simpl in *.
    + apply (proj1 (forallb_forall _ _) A x I).
    + apply (IH r B n x I).
Qed.

Definition begins (c : certificate) (f : form) : bool :=
  match find [f] (nth 0 (entries c) []) with Some _ => true | None => false end.

(* What is asked beside, so that a certificate says nothing superfluous: no entry twice, no rank without an entry, no mark
   of a rank in which no step stays. The theorem does not need it. *)

Fixpoint no_entry_twice (l : list entry) : bool :=
  match l with
  | [] => true
  | x :: r => match find (fst x) r with Some _ => false | None => no_entry_twice r end
  end.

Definition stays (c : certificate) (r : nat) (e : edge) (x : way) : bool :=
  match find (fst x) (nth (target e) (entries c) []) with Some (_, r') => r' =? r | None => false end.

Fixpoint ranks_that_stay (c : certificate) (sys : system) (rows : list (list entry)) : list nat :=
  match sys, rows with
  | edges :: s, row :: r =>
    map snd (filter (fun x => existsb (fun e => existsb (stays c (snd x) e) (ways e (fst x))) edges) row)
    ++ ranks_that_stay c s r
  | _, _ => []
  end.

Definition has_mark (m : mark) : bool := match m with NoMark => false | _ => true end.

Definition tidy (sys : system) (c : certificate) : bool :=
  let used := map snd (concat (entries c)) in
  let staying := ranks_that_stay c sys (entries c) in
  forallb no_entry_twice (entries c)
  && forallb (fun row => match row with [] => false | _ => true end) (entries c)
  && forallb (fun r => r <? length (missing c)) used
  && forallb (fun r => existsb (Nat.eqb r) used) (seq 0 (length (missing c)))
  && forallb (fun r => Bool.eqb (has_mark (nth r (missing c) NoMark)) (existsb (Nat.eqb r) staying))
       (seq 0 (length (missing c))).

Definition accepts (fair : nat) (sys : system) (f : form) (c : certificate) : bool :=
  begins c (neg f) && rows_ok fair c sys (entries c) && tidy sys c.

(* --- What it means ------------------------------------------------------------------------------------------------ *)

Definition run (sys : system) (at_ : nat -> nat) (by_ : nat -> edge) : Prop :=
  at_ 0 = 0 /\ forall i, In (by_ i) (nth (at_ i) sys []) /\ at_ (S i) = target (by_ i).

Definition is_fair (fair : nat) (by_ : nat -> edge) : Prop :=
  forall k, k < fair -> forall i, exists j, i <= j /\ nth k (carries (by_ j)) false = true.

Section Sound.
  Variables (fair : nat) (sys : system) (c : certificate) (at_ : nat -> nat) (by_ : nat -> edge).
  Hypothesis checked : rows_ok fair c sys (entries c) = true.
  Hypothesis runs : run sys at_ by_.
  Hypothesis fairly : is_fair fair by_.
  Let w := fun i => label (by_ i).

  (* The run is in a listed state of the product, and what it stands for is true. *)
  Definition there (r i : nat) : Prop := exists s, In (s, r) (nth (at_ i) (entries c) []) /\ all w i s.

  Lemma goes_on : forall r i, there r i -> exists r', there r' (S i) /\
    (r' < r \/ (r' = r /\ exists of, faithful w i of /\ absent fair (nth r (missing c) NoMark) (by_ i) of = true)).
  Proof.
    intros r i (s & I & A). destruct runs as [_ R]. destruct (R i) as [E T].
    pose proof (rows_ok_at _ _ _ _ checked _ _ I) as K. unfold entry_ok in K. simpl in K.
    pose proof (proj1 (forallb_forall _ _) K (by_ i) E) as L. simpl in L. unfold ways in L.
    destruct (expand_complete w i (S (weight s)) s [] [] []) as (nx & o & J & X & F); auto.
    - intros f B. destruct B.
    - intros g h B. destruct B.
    - pose proof (proj1 (forallb_forall _ _) L (nx, o) J) as M. unfold step_ok in M. simpl in M.
      destruct (find nx (nth (target (by_ i)) (entries c) [])) as [[s' r'] |] eqn:D; [| discriminate].
      destruct (find_in _ _ _ D) as [Q S']. simpl in S'.
      exists r'. split.
      + exists s'. rewrite T. split; trivial. intros f B. apply X. apply S'. trivial.
      + destruct (r' <? r) eqn:C.
        * left. apply Nat.ltb_lt. trivial.
        * apply andb_prop in M. destruct M as [M1 M2]. right. split; [apply Nat.eqb_eq; trivial |]. exists o. auto.
  Qed.

  Lemma nowhere : forall r i, ~ there r i.
  Proof.
    intros r; induction r as [r IH] using lt_wf_ind; intros i B.
    assert (S1 : forall j, there r j -> there r (S j) /\
      exists of, faithful w j of /\ absent fair (nth r (missing c) NoMark) (by_ j) of = true).
    { intros j T. destruct (goes_on r j T) as (r' & T' & [L | [E O]]).
      - exfalso. apply (IH r' L _ T').
      - subst. auto. }
    assert (S2 : forall j, i <= j -> there r j).
    { intros j L. induction L as [| j L K]; [trivial |]. apply (S1 j K). }
    assert (S3 : forall j, i <= j ->
      exists of, faithful w j of /\ absent fair (nth r (missing c) NoMark) (by_ j) of = true).
    { intros j L. apply (S1 j (S2 j L)). }
    destruct (nth r (missing c) NoMark) as [| g h | k]; simpl in S3.
    - destruct (S3 i (le_n i)) as (o & _ & D). discriminate.
    - destruct (S3 i (le_n i)) as (o & F & M). destruct (F g h (mem_in _ _ M)) as [(j & L & H & _) _].
      destruct (S3 j L) as (o' & F' & M'). destruct (F' g h (mem_in _ _ M')) as [_ N]. contradiction.
    - destruct (S3 i (le_n i)) as (o & _ & M). apply andb_prop in M. destruct M as [M _]. apply Nat.ltb_lt in M.
      destruct (fairly k M i) as (j & L & C). destruct (S3 j L) as (o' & _ & M'). rewrite C in M'.
      apply andb_prop in M'. destruct M' as [_ M']. discriminate.
  Qed.
End Sound.

Theorem sound : forall fair sys f c, accepts fair sys f c = true ->
  forall at_ by_, run sys at_ by_ -> is_fair fair by_ -> sat (fun i => label (by_ i)) f 0.
Proof.
  intros fair sys f c H at_ by_ R F. unfold accepts in H.
  apply andb_prop in H. destruct H as [H _]. apply andb_prop in H. destruct H as [B K].
  destruct (classic (sat (fun i => label (by_ i)) f 0)) as [| N]; trivial. exfalso.
  unfold begins in B. destruct (find [neg f] (nth 0 (entries c) [])) as [[s r] |] eqn:D; [| discriminate].
  destruct (find_in _ _ _ D) as [I S']. simpl in S'.
  apply (nowhere fair sys c at_ by_ K R F r 0).
  exists s. destruct R as [Z _]. rewrite Z. split; trivial.
  intros g G. destruct (S' g G) as [E | []]. subst. apply neg_complete. trivial.
Qed.

Print Assumptions sound.

Require Extraction.
Require Import ExtrOcamlBasic ExtrOcamlNatInt.
Extraction "checker.ml" accepts.
