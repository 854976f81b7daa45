@"offer.6.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 4, i16 0, i16 0, i16 0, i16 6, i16 5, i16 1, i16 0, i16 0, i16 0, i16 0, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.Program.Other.1.0.0" }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal void @"complete.Program.Other.1.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %entry.t1 = getelementptr i8, ptr %b, i32 3
  %entry.t2 = load i8, ptr %values, align 1
  store i8 %entry.t2, ptr %entry.t1, align 1
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %entry.a1 = alloca [1 x i8], align 1
  %entry.a2 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b.1 i16 2, label %b.3 i16 3, label %b.4 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 2
  store i8 1, ptr %b.1.t1, align 1
  %b.1.t2 = call zeroext i8 @lf_free_slot(ptr %b, i16 zeroext 1, i8 zeroext 1, i8 zeroext 0, i16 zeroext 0)
  %b.1.t3 = zext i8 %b.1.t2 to i16
  %b.1.t4 = mul i16 %b.1.t3, 0
  %b.1.t5 = getelementptr i8, ptr %b, i32 4
  %b.1.t6 = zext i16 %b.1.t4 to i32
  %b.1.t7 = getelementptr i8, ptr %b.1.t5, i32 %b.1.t6
  call void @lf_set_position(ptr %b, i16 zeroext 1, i8 zeroext %b.1.t2, i8 zeroext 0, i16 zeroext 4)
  %b.1.t8 = add i8 %b.1.t2, 1
  call void @lf_policy_created(ptr %b, i8 zeroext %b.1.t8, i32 -1)
  %b.1.t9 = getelementptr i8, ptr %b, i32 2
  %b.1.t10 = load i8, ptr %b.1.t9, align 1
  %b.1.t11 = icmp ne i8 %b.1.t10, 0
  br i1 %b.1.t11, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.1:
  %ok.1.t1 = getelementptr i8, ptr %b, i32 3
  %ok.1.t2 = load i8, ptr %ok.1.t1, align 1
  %ok.1.t3 = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %ok.1.t2, i8 1)
  %ok.1.t4 = extractvalue { i8, i1 } %ok.1.t3, 0
  %ok.1.t5 = extractvalue { i8, i1 } %ok.1.t3, 1
  %ok.1.t6 = xor i1 %ok.1.t5, true
  br i1 %ok.1.t6, label %ok.2, label %bad.2, !prof !0
bad.2:
  %bad.2.t1 = sext i8 %ok.1.t2 to i32
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %bad.2.t1, i32 1) #1
  unreachable
ok.2:
  store i8 %ok.1.t4, ptr %entry.a1, align 1
  call void @lf_meeting_begin(ptr %entry.a2)
  call void @lf_seek_receivers(ptr %b, ptr %entry.a2, i8 zeroext 0, i8 zeroext %b.1.t10, ptr %entry.a1, ptr @"offer.6.0.1")
  %ok.2.t1 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a2)
  br i1 %ok.2.t1, label %met.1, label %alone.1
met.1:
  br label %take.1
take.1:
  %take.1.t1 = call zeroext i1 @lf_deliver(ptr %b, ptr %entry.a2, ptr %entry.a1, ptr @"offer.6.0.1")
  br label %moved.1
moved.1:
  %moved.1.t1 = zext i8 %slot to i16
  %moved.1.t2 = zext i16 %moved.1.t1 to i32
  %moved.1.t3 = getelementptr i8, ptr %b, i32 %moved.1.t2
  store i8 2, ptr %moved.1.t3, align 1
  ret i16 -32768
alone.1:
  %alone.1.t1 = zext i8 %slot to i16
  %alone.1.t2 = zext i16 %alone.1.t1 to i32
  %alone.1.t3 = getelementptr i8, ptr %b, i32 %alone.1.t2
  store i8 3, ptr %alone.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
b.3:
  %b.3.t1 = getelementptr i8, ptr %b, i32 3
  store i8 1, ptr %b.3.t1, align 1
  br label %b.2
b.4:
  %b.4.t1 = getelementptr i8, ptr %b, i32 3
  store i8 2, ptr %b.4.t1, align 1
  br label %b.2
}

define internal i16 @"run.Program.Other.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %entry.a1 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 4, label %b.1 i16 5, label %b.2 ]
nowhere:
  unreachable
b.1:
  call void @lf_meeting_begin(ptr %entry.a1)
  %b.1.t1 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %entry.a1)
  br i1 %b.1.t1, label %met.1, label %alone.1
met.1:
  br label %take.1
take.1:
  unreachable
alone.1:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %alone.1.t1 = zext i8 %slot to i16
  %alone.1.t2 = zext i16 %alone.1.t1 to i32
  %alone.1.t3 = getelementptr i8, ptr %b, i32 %alone.1.t2
  store i8 6, ptr %alone.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = sub i8 %slot, 1
  call void @lf_end(ptr %b, i16 zeroext 1, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}
